"""Writes a small model of the llama architecture for llama.cpp, with random weights in each storage type that has its
own kernels."""

import sys

import gguf
import numpy as np
from gguf import GGMLQuantizationType as T

WORDS, WIDTH, LAYERS, HEADS, GROUPS, INNER, CONTEXT = 512, 256, 4, 8, 4, 512, 512
rng = np.random.default_rng(11)
w = gguf.GGUFWriter(sys.argv[1], "llama")
w.add_name("tiny")
w.add_context_length(CONTEXT)
w.add_embedding_length(WIDTH)
w.add_block_count(LAYERS)
w.add_feed_forward_length(INNER)
w.add_head_count(HEADS)
w.add_head_count_kv(GROUPS)
w.add_rope_dimension_count(WIDTH // HEADS)
w.add_layer_norm_rms_eps(1e-5)
w.add_vocab_size(WORDS)
# Three control tokens, then the bytes, then words that no text contains.
tokens = ["<unk>", "<s>", "</s>", *(f"<0x{b:02X}>" for b in range(256))]
kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL, *[gguf.TokenType.BYTE] * 256]
tokens += [f"▁w{i}" for i in range(WORDS - len(tokens))]
kinds += [gguf.TokenType.NORMAL] * (WORDS - len(kinds))
w.add_tokenizer_model("llama")
w.add_token_list(tokens)
w.add_token_scores([-float(i) for i in range(WORDS)])
w.add_token_types(kinds)
w.add_bos_token_id(1)
w.add_eos_token_id(2)
w.add_unk_token_id(0)


def matrix(name, rows, columns, kind, scale=1.0):
    values = (rng.standard_normal((rows, columns)) * scale / np.sqrt(columns)).astype(np.float32)
    w.add_tensor(name + ".weight", gguf.quants.quantize(values, kind), raw_dtype=kind)


def norm(name):
    w.add_tensor(name + ".weight", (1 + 0.1 * rng.standard_normal(WIDTH)).astype(np.float32))


matrix("token_embd", WORDS, WIDTH, T.F16, 8)
narrow = WIDTH * GROUPS // HEADS
for i, kind in enumerate((T.F32, T.F16, T.Q8_0, T.Q4_0)):
    at = f"blk.{i}."
    norm(at + "attn_norm")
    for name, rows in (("attn_q", WIDTH), ("attn_k", narrow), ("attn_v", narrow), ("attn_output", WIDTH)):
        matrix(at + name, rows, WIDTH, kind)
    norm(at + "ffn_norm")
    matrix(at + "ffn_gate", INNER, WIDTH, kind, 2)
    matrix(at + "ffn_up", INNER, WIDTH, kind, 2)
    matrix(at + "ffn_down", WIDTH, INNER, kind, 2)
norm("output_norm")
# Large weights make one token clearly the most likely.
matrix("output", WORDS, WIDTH, T.F32, 6)
w.write_header_to_file()
w.write_kv_data_to_file()
w.write_tensors_to_file()
w.close()
