"""Inputs of the modules of OpenCL-CTS, `test_conformance/spirv_new`, and the values that they must compute.

They follow the suite's own host code (the .cpp files), with fewer invocations. Where the suite compares with the result
of OpenCL C on the same device, values are computed here and compared within the bounds of OpenCL.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence

import numpy as np
from common import SCALARS

# Invocations of kernels that compute each element alone.
COUNT = 4096

random = np.random.default_rng(7)
# State of the generator before each module, so that the inputs of a module do not depend on others.
START = random.bit_generator.state

# The kernels store booleans as integers.
TYPES = {**SCALARS, "true": np.int32, "false": np.int32}

INT_CHAR = np.dtype([("int", "<i4"), ("char", "i1")], align=True)
STRUCTURES = {
    "int3": np.dtype({"names": ["xyz"], "formats": [("<i4", 3)], "offsets": [0], "itemsize": 16}),
    "int4": np.dtype([("xyzw", "<i4", 4)]),
    "struct_int_char": INT_CHAR,
    "struct_int_float": np.dtype([("int", "<i4"), ("float", "<f4")]),
    "struct_struct": np.dtype([("int2", "<i4", 2), ("struct", INT_CHAR)]),
}

# Values that kernels named after a type store.
STORED = {
    "true": 1,
    "false": 0,
    "int": 123,
    "uint": 54321,
    "char": 20,
    "uchar": 19,
    "short": 32000,
    "ushort": 65000,
    "long": 34359738368,
    "ulong": 9223372036854775810,
    "half": 3.25,
    "float": 3.1415927,
    "double": 3.141592653589793,
    "int3": ((123, 122, 121),),
    "int4": ((123, 122, 121, 119),),
    "struct_int_char": (2100483600, -128),
    "struct_int_float": (1024, 3.1415),
    "struct_struct": ((2100480000, 2100480000), (2100483600, -128)),
}


@dataclasses.dataclass
class Trial:
    """A launch of a kernel, and what it must do."""

    # Contents of buffers, and texts of --arg for other arguments.
    arguments: Sequence[np.ndarray | str]
    # Contents of arguments after the launch, by index. Others are not compared.
    expected: dict[int, np.ndarray]
    count: int = COUNT
    # Invocations of a workgroup.
    local: int | None = None
    # Specialization constants, as ID=VALUE.
    constants: tuple[str, ...] = ()
    # Allowed differences.
    bound: np.ndarray | None = None
    # Lines that the kernel must print.
    printed: list[str] | None = None
    # Conditions on the contents of all buffers.
    holds: Callable[[dict[int, np.ndarray]], bool] | None = None

    def compared(self) -> bool:
        """True if the results are compared with something."""
        return bool(self.expected or self.holds or self.printed is not None)


def scalar_and_width(name: str) -> tuple[type[np.generic], int]:
    """Scalar and number of components of a type such as `float4`."""
    scalar = name.rstrip("0123456789")
    return TYPES[scalar], int(name[len(scalar) :] or 1)


def integers(kind: type[np.generic], count: int = COUNT) -> np.ndarray:
    """Random integers of all values, half of them small enough to meet and to be equal."""
    limits = np.iinfo(kind)
    values = random.integers(limits.min, limits.max, count, kind, endpoint=True)
    return np.where(random.random(count) < 0.5, values, values % kind(100)).astype(kind)


def reals(kind: type[np.generic], count: int = COUNT) -> np.ndarray:
    """Random numbers from 0 to 1. Every other half is one of the suite's: bits below 2048, half of them denormal."""
    numbers = random.random(count).astype(kind)
    if kind == np.float16:
        numbers[::2] = random.integers(0, 2048, numbers[::2].size, np.uint16).view(np.float16)
    return numbers


def values(kind: type[np.generic], count: int = COUNT) -> np.ndarray:
    return reals(kind, count) if np.issubdtype(kind, np.floating) else integers(kind, count)


def unwritten(kind: np.dtype | type[np.generic], count: int = COUNT) -> np.ndarray:
    """Contents that no kernel writes."""
    return np.full(count * np.dtype(kind).itemsize, 0xA5, np.uint8).view(kind)


def basic() -> list[Trial]:
    source = integers(np.int32)
    return [Trial([unwritten(source.dtype), source], {0: source})]


def in_place(name: str, operation: Callable[[np.ndarray], np.ndarray]) -> list[Trial]:
    """A kernel that replaces each element of its buffer."""
    kind, width = scalar_and_width(name)
    old = values(kind, COUNT * width)
    return [Trial([old], {0: operation(old)})]


def float_math(operation: str, name: str) -> list[Trial]:
    """Arithmetic, within the bounds of OpenCL's environment for SPIR-V, "OpenCL Numerical Compliance"."""
    kind, width = scalar_and_width(name)
    left, right = reals(kind, COUNT * width), reals(kind, COUNT * width)
    functions = {
        "add": np.add,
        "sub": np.subtract,
        "mul": np.multiply,
        "div": np.divide,
        "rem": np.fmod,
        "mod": lambda a, b: np.copysign(np.fmod(a, b), b),
    }
    with np.errstate(all="ignore"):
        expected = functions[operation](left, right)
        bound = None
        if operation == "div" and kind == np.float32:
            bound = 2.5 * np.spacing(expected)
        elif operation in ("rem", "mod"):
            # OpenCL has no bounds, and the suite compares nothing. By the formula, a unit in the last place of the
            # dividend.
            bound = np.spacing(left)
    return [Trial([unwritten(kind, left.size), left, right], {0: expected}, bound=bound)]


def vector_times_scalar(name: str) -> list[Trial]:
    kind, width = TYPES[name], 4
    left, right = reals(kind, COUNT * width), reals(kind)
    return [Trial([unwritten(kind, left.size), left, right], {0: left * np.repeat(right, width)})]


def no_wrap(operation: str, name: str) -> list[Trial]:
    """Operations on integers that do not wrap."""
    kind = TYPES[name]
    signed = [-25000, -3333, -7, -1, 0, 1, 1024, 2048, 4094, 10000]
    unsigned = [0, 1, 3, 5, 10, 100, 1024, 2048, 4094, 52888]
    left, right = np.array(signed if name == "int" else unsigned, kind), np.arange(10, dtype=kind)
    functions = {
        "add": left + right,
        "sub": left - right,
        "mul": left * right,
        "shiftleft": left << right,
        "negate": -left,
    }
    return [Trial([unwritten(kind, 10), left, right], {0: functions[operation]}, count=10)]


def stored(name: str) -> list[Trial]:
    """Kernels that store one value for all invocations. Halves are converted to floats."""
    kind = np.dtype(STRUCTURES.get(name) or ("<f4" if name == "half" else TYPES[name]))
    return [Trial([unwritten(kind)], {0: np.full(COUNT, np.array(STORED[name], kind))})]


def undefined(name: str) -> list[Trial]:
    """Kernels that store undefined values."""
    return [Trial(trial.arguments, {}) for trial in stored(name)]


def of_two(operation: Callable[..., np.ndarray], kind: type[np.generic] = np.uint32) -> list[Trial]:
    """A kernel with a result and two operands."""
    left, right = integers(kind), integers(kind)
    # Small numbers are on both sides, and on either one only.
    left[::3] %= 65535
    right[1::3] %= 65535
    return [Trial([unwritten(kind), left, right], {0: operation(left, right)})]


def phi(blocks: str) -> list[Trial]:
    def negated(a: np.ndarray) -> np.ndarray:
        return np.where(a < 65535, -a, a)

    operations = {
        "2": lambda a, b: np.where(a < b, b - a, a - b),
        "3": lambda a, b: np.where(a < b, negated(a), a - b),
        "4": lambda a, b: np.where(a < b, negated(a), negated(b)),
    }
    return of_two(operations[blocks])


def loop_merge() -> list[Trial]:
    repeats = 4
    terms = random.integers(0, 1024, (repeats, COUNT), np.int32)
    arguments = [unwritten(np.int32), terms, str(repeats), str(COUNT)]
    return [Trial(arguments, {0: terms.sum(0, dtype=np.int32)})]


def copied() -> list[Trial]:
    """A kernel that copies its first buffer to the second."""
    source = integers(np.int32)
    return [Trial([source, unwritten(source.dtype)], {1: source})]


def access_chain() -> list[Trial]:
    row = np.array([100, 200, 300, 400], np.uint32)
    count = 256
    return [Trial([np.tile(row, count), unwritten(np.uint32, count)], {1: np.tile(row, count // 4)}, count=count)]


def atomic(direction: str) -> list[Trial]:
    """Counters: each invocation gets another value."""
    old, new, least = (0, COUNT, 0) if direction == "inc" else (COUNT, 0, 1)
    each = np.arange(least, COUNT + least, dtype=np.int32)
    counter, arguments = np.array([new], np.int32), [unwritten(np.int32), np.array([old], np.int32)]
    return [Trial(arguments, {1: counter}, holds=lambda got: np.array_equal(np.sort(got[0]), each))]


def vector_extract(name: str) -> list[Trial]:
    kind, width = scalar_and_width(name)
    vectors = values(kind, COUNT * width)
    return [Trial([vectors, unwritten(kind), str(i)], {1: vectors[i::width]}) for i in range(width)]


def vector_insert(name: str) -> list[Trial]:
    kind, width = scalar_and_width(name)
    scalars, vectors = values(kind), values(kind, COUNT * width)
    found = []
    for i in range(width):
        expected = vectors.copy()
        expected[i::width] = scalars
        found.append(Trial([scalars, vectors, str(i)], {1: expected}))
    return found


def packed() -> list[Trial]:
    kind = np.dtype([("int", "<i4"), ("char", "i1")])
    return [Trial([unwritten(kind)], {0: np.full(COUNT, np.array((2100483600, 127), kind))})]


def rounding(mode: str, source: str, result: str) -> list[Trial]:
    """Conversions to integers of the same width, with a rounding mode."""
    kind, limits = TYPES[result], np.iinfo(TYPES[result])
    old = random.uniform(limits.min / 2, limits.max / 2, COUNT)
    # The suite has few numbers with a fraction, since it draws them from the whole range.
    old[::2] = random.integers(-200, 200, old[::2].size) / 4
    old = old.astype(TYPES[source])
    function = {"rte": np.rint, "rtz": np.trunc, "rtp": np.ceil, "rtn": np.floor}[mode]
    return [Trial([unwritten(kind), old], {0: function(old).astype(kind)})]


def saturated(source: str, result: str) -> list[Trial]:
    """Products that are converted to integers with saturation. NaN becomes 0."""
    kind, limits, real = TYPES[result], np.iinfo(TYPES[result]), TYPES[source]
    left = (random.random(COUNT) * (float(limits.max) - float(limits.min))).astype(real)
    right = random.integers(0, limits.max, COUNT).astype(real)
    right[(right > 0) & (right < limits.max / 20)] = np.nan
    with np.errstate(over="ignore"):
        product = np.nan_to_num(left * right, nan=0, posinf=np.inf, neginf=-np.inf)
    expected = np.clip(np.trunc(product.astype(np.float64)), limits.min, limits.max).astype(kind)
    return [Trial([unwritten(kind), left, right], {0: expected})]


def expect(name: str) -> list[Trial]:
    """Vectors of 1, 2, 3, 4, 8 and 16 components of one value, each in 16 elements."""
    kind = TYPES.get(name, np.int32)
    expected = np.array([[42] * width + [0] * (16 - width) for width in (1, 2, 3, 4, 8, 16)], kind).reshape(-1)
    return [Trial([unwritten(kind, expected.size), "42"], {0: expected}, count=1)]


def constant(name: str) -> list[Trial]:
    """A specialization constant that the kernel adds, which is 0 by default."""
    if name in ("true", "false"):
        # The kernel adds 1 if the constant is not its default.
        kind, old, text, added = np.uint8, 7, "false" if name == "true" else "true", 1
    else:
        kind = TYPES[name]
        old, added = {
            "uint": (25, 43),
            "uchar": (19, 4),
            "ushort": (6000, 3000),
            "ulong": (9223372036854775000, 200),
            "float": (1.5, -3.7),
            # The suite's 1 and 2 are bits.
            "half": (2**-24, 2**-23),
            "double": (14534.53453, 1.53453),
        }[name]
        text = repr(added)
    before = np.array([old], kind)
    after = before + np.array([added], kind)
    return [
        Trial([before], {0: before}, count=1),
        Trial([before], {0: after}, count=1, constants=(f"101={text}",)),
    ]


def prints(name: str) -> list[Trial]:
    value, lines = {
        "int32": ("1", [f"{width}{letter} = 1" for width in ("", "h", "hh") for letter in "diouxX"]),
        "int64": ("4", [f"l{letter} = 4" for letter in "diouxX"]),
        "fp32": ("2", "a = 0x1.0p+1|A = 0X1.0P+1|e = 2.0e+00|E = 2.0E+00|f = 2.0|F = 2.0|g = 2|G = 2".split("|")),
        "fp64": ("8", "a = 0x1.0p+3|A = 0X1.0P+3|e = 8.0e+00|E = 8.0E+00|f = 8.0|F = 8.0|g = 8|G = 8".split("|")),
    }[name]
    return [Trial([value], {}, count=1, printed=lines)]


def stores(*expected: int) -> list[Trial]:
    """A kernel of one invocation that stores integers."""
    after = np.array(expected, np.int32)
    return [Trial([unwritten(np.int32, after.size)], {0: after}, count=1)]


def structures(rows: list[tuple[int, float]]) -> list[Trial]:
    """A kernel that stores one structure for each invocation."""
    after = np.array(rows, STRUCTURES["struct_int_float"])
    return [Trial([unwritten(after.dtype, after.size)], {0: after}, count=len(rows))]


def pointers() -> list[Trial]:
    """Comparisons and the difference of pointers to different buffers. The command cannot pass one buffer twice."""

    def hold(got: dict[int, np.ndarray]) -> bool:
        equal, different, distance = got[0]
        return (equal, different) == (0, 1) and distance != 0

    return [Trial([unwritten(np.int32, 3), unwritten(np.int32, 1)], {}, count=1, holds=hold)]


def pointer_bits() -> list[Trial]:
    """A null pointer's bits by two conversions."""
    before = [np.array([0xAAAAAAAAAAAAAAAA], np.uint64), np.array([0x5555555555555555], np.uint64)]
    return [Trial(before, {}, count=1, holds=lambda got: got[0] == got[1])]


def broadcast() -> list[Trial]:
    """In each workgroup, of one subgroup, the global id of the invocation that has the index of the workgroup."""
    side = 4
    expected = np.repeat(np.arange(side) * (side + 1), side).astype(np.int32)
    return [Trial([unwritten(np.int32, expected.size)], {0: expected}, count=side * side, local=side)]


def extended(sign: str) -> list[Trial]:
    """A read of 8-bit components, with sign or without."""
    old = np.array([0x01, 0x80, 0xFF, 0x00], np.uint8)
    new = old.view(np.int8 if sign == "sign" else np.uint8).astype(np.int32).view(np.uint32)
    kind = "SINT" if sign == "sign" else "UINT"
    image = f"image:1x1:R8G8B8A8_{kind}:u8:" + ",".join(map(str, old))
    return [Trial([unwritten(np.uint32, 4), image], {0: new}, count=1)]


def nontemporal() -> list[Trial]:
    texel = np.array([1, 2, -1, 128], np.float32)
    image = "image:1x1:R32G32B32A32_SFLOAT:f32:"
    return [Trial([image + "1,2,-1,128", image + "0,0,0,0"], {1: texel}, count=1)]


def uniform() -> list[Trial]:
    return [Trial([unwritten(np.uint32, 16), "42"], {0: np.full(16, 43, np.uint32)}, count=16)]


def assume() -> list[Trial]:
    return [Trial([unwritten(np.int32), "42"], {0: np.full(COUNT, 42, np.int32)})]


def loop_control() -> list[Trial]:
    return [Trial([np.zeros(1, np.int32), "10", "5"], {0: np.array([50], np.int32)}, count=1)]


def difference(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.where(left < right, right - left, left - right)


# Names of modules without their folders, and functions that get the groups of the pattern.
RULES: list[tuple[str, Callable[..., list[Trial]]]] = [
    ("basic", basic),
    (r"f(add|sub|mul|div|rem|mod)_(\w+)", float_math),
    (r"vector_times_scalar_(\w+)", vector_times_scalar),
    (r"(?:ext_cl_khr_spirv_)?no_integer_wrap_decoration_f(\w+)_(u?int)", no_wrap),
    (r"op_neg_(\w+)", lambda name: in_place(name, np.negative)),
    (r"op_not_(\w+)", lambda name: in_place(name, np.invert)),
    (r"op_function_\w+", lambda: in_place("float", np.negative)),
    (r"(?:constant|copy)_(\w+)_simple", stored),
    ("composite_construct_int4", lambda: stored("int4")),
    ("composite_construct_struct", lambda: stored("struct_struct")),
    (r"undef_(\w+)_simple", undefined),
    (r"decorate_(?:aliased|alignment|constant|constant_fail|restrict)", lambda: of_two(np.add, np.int32)),
    ("decorate_cpacked", packed),
    (r"decorate_rounding_(\w+)_(\w+)_(\w+)", rounding),
    (r"decorate_saturated_conversion_(\w+)_to_(\w+)", saturated),
    (r"select_if_\w+|branch_conditional\w*", lambda: of_two(difference)),
    (r"select_switch_\w+", lambda: of_two(lambda a, b: (a + b) % np.uint32(4))),
    (r"phi_(\d)", phi),
    (r"lifetime_simple", lambda: of_two(np.subtract, np.int32)),
    (r"loop_merge_\w+", loop_merge),
    (r"(?:label|branch|unreachable)_simple", copied),
    (r"(?:ptr_)?access_chain_\w+", access_chain),
    (r"atomic_(inc|dec)_global", atomic),
    (r"vector_(\w+)_extract", vector_extract),
    (r"vector_(\w+)_insert", vector_insert),
    (r"expect_(\w+)", expect),
    ("assume", assume),
    (r"op_spec_constant_(\w+)_simple", constant),
    (r"printf_operands_scalar_(\w+)", prints),
    (r"loop_control_\w+", loop_control),
    (r"usersemantic_\w+", lambda: stores(0)),
    (r"nonwriteable_\w+", lambda: stores(42)),
    (r"copymemory_\w+", lambda: stores(*[42] * 6)),
    ("copylogical_struct", lambda: structures([(1024, 3.1415)])),
    ("select_struct", lambda: structures([(2048, 2.7128), (1024, 3.1415)] * 8)),
    ("ptrops", pointers),
    ("ptr_bitcast", pointer_bits),
    ("non_uniform_broadcast_dynamic_index", broadcast),
    (r"image_operand_(sign|zero)extend", extended),
    ("image_operand_nontemporal", nontemporal),
    (r"uniformdecoration_\w+", uniform),
]


def trials(name: str) -> list[Trial]:
    """Launches of the kernel of a module; none if no inputs are known."""
    random.bit_generator.state = START
    for pattern, function in RULES:
        matched = re.fullmatch(pattern, name)
        if matched:
            return function(*matched.groups())
    return []
