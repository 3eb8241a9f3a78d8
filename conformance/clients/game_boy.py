"""A cartridge of the Game Boy that shows a background of sixteen tiles, and the picture that it must show."""

import random

WIDTH, HEIGHT = 160, 144
PROGRAM = bytes.fromhex(
    "f044fe9020faafe040"  # waits for line 144 and turns the display off
    "210010110080010001"  # from 0x1000 to 0x8000, 256 bytes: the tiles
    "2a12130b78b120f8"
    "110098010004"  # from there to 0x9800, 1024 bytes: the map
    "2a12130b78b120f8"
    "afe042e043"  # no scroll
    "3ee4e047"  # the palette: four shades in order
    "3e91e04018fe"  # turns the display on, and stays
)


def cartridge(seed=1):
    """Returns the file and rows of shades from 0, the lightest, to 3."""
    numbers = random.Random(seed)
    tiles = [[[numbers.randrange(4) for _ in range(8)] for _ in range(8)] for _ in range(16)]
    table = [[numbers.randrange(16) for _ in range(32)] for _ in range(32)]
    planes = bytearray()
    for tile in tiles:
        for row in tile:
            planes += bytes(sum((v >> plane & 1) << (7 - x) for x, v in enumerate(row)) for plane in (0, 1))
    file = bytearray(0x8000)
    file[0x100:0x104] = bytes.fromhex("00c35001")
    file[0x134:0x13D] = b"QUADRILLE"
    file[0x14D] = (-sum(file[0x134:0x14D]) - 25) & 255
    file[0x150 : 0x150 + len(PROGRAM)] = PROGRAM
    file[0x1000:0x1100] = planes
    file[0x1100:0x1500] = bytes(cell for row in table for cell in row)
    shades = [[tiles[table[y // 8][x // 8]][y % 8][x % 8] for x in range(WIDTH)] for y in range(HEIGHT)]
    return bytes(file), shades
