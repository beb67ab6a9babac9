#!/usr/bin/env python3
"""The reference side of the Atari core: ale_py on a ROM, as a trace to compare with or as frames per second.

    atari_ale.py trace ROM FRAMES SEED [PRELUDE]   a trace in the form of `pixelproof atari trace`, on standard output
    atari_ale.py bench ROM FRAMES                  frames per second with RAM read, and with SHA-256 of RAM and picture

The file's stem names the game whose rules the reference applies. What its environment presses at the start cannot be
asked of it: PRELUDE is that as JSON, by default 60 frames of nothing and twice 4 frames of RESET; a game with modes
takes 4 more frames of RESET, some are started by a button. `start_ram_hex` shows whether it is right. Actions are those
of the game's minimal set.
"""

import hashlib
import json
import platform
import random
import sys
import time

import ale_py
import numpy


def load(rom):
    ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)
    ale = ale_py.ALEInterface()
    ale.setInt("random_seed", 1)
    ale.setFloat("repeat_action_probability", 0.0)
    ale.loadROM(rom)
    return ale


def short(array):
    return hashlib.sha256(array.tobytes()).hexdigest()[:16]


def trace(rom, frames, seed, prelude):
    ale = load(rom)
    actions = [action.value for action in ale.getMinimalActionSet()]
    with open(rom, "rb") as handle:
        image = handle.read()
    out = {
        "kind": "ale-trace-v1",
        "ale_py": ale_py.__version__,
        "rom_bytes": len(image),
        "rom_md5": hashlib.md5(image).hexdigest(),
        "console": {},
        "prelude_events_frames": prelude,
        "start_ram_hex": ale.getRAM().tobytes().hex(),
        "actions": [],
        "rewards": [],
        "ram_sha256_16": [],
        "screen_sha256_16": [],
        "rgb_sha256_16": [],
    }
    draw = random.Random(seed)
    action = 0
    for _ in range(frames):
        if ale.game_over():
            break
        # An action is held for four frames on average, so that games are really played.
        if draw.randrange(4) == 0:
            action = draw.choice(actions)
        out["rewards"].append(ale.act(action))
        out["actions"].append(action)
        out["ram_sha256_16"].append(short(ale.getRAM()))
        out["screen_sha256_16"].append(short(ale.getScreen()))
        out["rgb_sha256_16"].append(short(ale.getScreenRGB()))
    return out


def bench(rom, frames):
    ale = load(rom)
    started = time.perf_counter()
    for _ in range(frames):
        ale.act(0)
        if ale.game_over():
            ale.reset_game()
        ale.getRAM()
    read = time.perf_counter()
    for _ in range(frames):
        ale.act(0)
        if ale.game_over():
            ale.reset_game()
        hashlib.sha256(ale.getRAM().tobytes()).hexdigest()
        hashlib.sha256(ale.getScreenRGB().tobytes()).hexdigest()
    hashed = time.perf_counter()
    return {
        "ale_py": ale_py.__version__,
        "numpy": numpy.__version__,
        "python": platform.python_version(),
        "frames_per_second_ram": frames / (read - started),
        "frames_per_second_sha256": frames / (hashed - read),
    }


def main():
    mode, rom, frames = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if mode == "bench":
        result = bench(rom, frames)
    else:
        usual = '[["noop", 60], ["reset", 4], ["reset", 4]]'
        result = trace(rom, frames, int(sys.argv[4]), json.loads((sys.argv[5:] or [usual])[0]))
    json.dump(result, sys.stdout)
    print()


main()
