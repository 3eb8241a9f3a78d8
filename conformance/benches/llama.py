#!/usr/bin/env python3
"""Tokens a second of llama.cpp on Vulkan drivers, and on its own CPU code.

    llama.py FOLDER LABEL=ICD.json... [--types F16,Q8_0] [--prompt 512] [--answer 128] [--rounds 2]

Needs llama-bench and llama-quantize with their Vulkan backend, numpy and gguf (in Debian sid: llama.cpp-tools,
libggml0-backend-vulkan, python3-gguf). FOLDER receives models of 134 million parameters, drawn from a seed: the bench
generates tokens whatever they mean. The drivers take turns. Prints a table in Markdown, with the median of the rounds.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess

WIDTH, LAYERS, HEADS, INNER, WORDS = 768, 12, 12, 2048, 32000


def make(path: pathlib.Path) -> None:
    """Writes a model in F16."""
    import gguf
    import numpy as np

    random = np.random.default_rng(7)
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(2048)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(WORDS)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_tokenizer_model("none")

    def matrix(name: str, rows: int, columns: int) -> None:
        values = random.standard_normal((rows, columns), dtype=np.float32) * 0.02
        writer.add_tensor(f"{name}.weight", values.astype(np.float16))

    def ones(name: str) -> None:
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))

    matrix("token_embd", WORDS, WIDTH)
    matrix("output", WORDS, WIDTH)
    ones("output_norm")
    for block in (f"blk.{layer}." for layer in range(LAYERS)):
        for norm in ("attn_norm", "ffn_norm"):
            ones(block + norm)
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            matrix(block + part, WIDTH, WIDTH)
        for part in ("ffn_gate", "ffn_up"):
            matrix(block + part, INNER, WIDTH)
        matrix(block + "ffn_down", WIDTH, INNER)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def model(folder: pathlib.Path, kind: str) -> pathlib.Path:
    """The model with weights of a type, made if it is not there."""
    first, path = folder / "F16.gguf", folder / f"{kind}.gguf"
    if not first.exists():
        make(first)
    if not path.exists():
        subprocess.run(["llama-quantize", first, path, kind], check=True, capture_output=True)
    return path


def speed(path: pathlib.Path, icd: str | None, prompt: int, answer: int) -> dict[str, float]:
    """Tokens a second of prompt and answer, on a driver or on the processor alone."""
    command = ["llama-bench", "-m", path, "-p", str(prompt), "-n", str(answer), "-r", "1", "-o", "json"]
    # llama.cpp takes a device of the kind CPU only by its number.
    driver = {"VK_DRIVER_FILES": icd, "GGML_VK_VISIBLE_DEVICES": "0"} if icd else {}
    command += ["-ngl", "99"] if icd else ["-dev", "none"]
    out = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **driver}).stdout
    return {"prompt" if row["n_gen"] == 0 else "answer": row["avg_ts"] for row in json.loads(out)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("drivers", nargs="+", metavar="LABEL=ICD.json")
    parser.add_argument("--types", default="F16,Q8_0,Q4_0,Q4_K")
    parser.add_argument("--prompt", type=int, default=512)
    parser.add_argument("--answer", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    drivers: dict[str, str | None] = dict(driver.split("=", 1) for driver in options.drivers)
    drivers["ggml on the processor"] = None
    print(f"| weights | work | {' | '.join(drivers)} |\n|---|---|{'---:|' * len(drivers)}")
    for kind in options.types.split(","):
        path = model(options.folder, kind)
        rounds = [
            {label: speed(path, icd, options.prompt, options.answer) for label, icd in drivers.items()}
            for _ in range(options.rounds)
        ]
        for work in ("prompt", "answer"):
            values = [statistics.median(r[label][work] for r in rounds) for label in drivers]
            print(f"| {kind} | {work} | {' | '.join(f'{v:.1f}' for v in values)} |", flush=True)


if __name__ == "__main__":
    main()
