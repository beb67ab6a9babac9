#!/usr/bin/env python3
"""The reference side of the Pong controls: the two local arms played in ale_py, with the files that the protocol names.

    pong_ale.py digests ROM FRAMES SEED…   SHA-256 of frames.jsonl and transitions.jsonl of each arm and seed, as JSON
    pong_ale.py bench ROM FRAMES SEED…     seconds for the same work, every file written, as JSON

Written from docs/pong-controls.md, apart from the engine that it is compared with. The file's stem names the game whose
rules ale_py applies, so a cartridge of another name is played from a copy named pong.bin.
"""

import hashlib
import json
import os
import platform
import shutil
import sys
import tempfile
import time

import ale_py
import numpy

HOLD = 4
ACTIONS = [("NOOP", "hold", 0), ("FIRE", "hold", 1), ("RIGHT", "up", 3)]
ACTIONS += [("LEFT", "down", 4), ("RIGHTFIRE", "up", 11), ("LEFTFIRE", "down", 12)]
ARMS = {"python-2px": ("track-ball-center-v1", 2), "python-4px": ("track-ball-center-4px-v1", 4)}
COORDINATES = {
    "width_px": 160,
    "height_px": 210,
    "origin": "top_left",
    "x_positive": "right",
    "y_positive": "down",
    "bbox_format": "x_y_width_height",
    "velocity_unit": "pixels_per_raw_frame",
}
CANDIDATES = [
    {"id": i, "ale_meaning": name, "effect": effect, "hold_raw_frames": HOLD}
    for i, (name, effect, _) in enumerate(ACTIONS)
]


def locate(ram):
    found = {"player": None, "opponent": None, "ball": None}
    low = int(ram[51])
    if low >= 34:
        top = max(34, low - 13)
        tall = low - 33 if low < 47 else min(15, 194 - top)
        if tall > 0:
            found["player"] = [140, top, 4, tall]
    low = int(ram[50])
    if low > 33:
        top = max(34, low - 15)
        tall = min(15, low - 33, 194 - top)
        if tall > 0:
            found["opponent"] = [16, top, 4, tall]
    x, y = int(ram[49]), int(ram[54])
    if y and x > 49:
        found["ball"] = [x - 49, y - 14, 2, 4]
    return found


class Watcher:
    def __init__(self):
        self.past = []
        self.last = dict.fromkeys(("player", "opponent", "ball"))

    def look(self, ram, frame, asked, events):
        boxes = locate(ram)
        objects = []
        for name, box in boxes.items():
            if box:
                self.last[name] = frame
            before, old = self.past[-1] if self.past else (frame, {})
            span = frame - before
            known = bool(box and old.get(name) and span > 0)
            speed = [(box[k] - old[name][k]) / span for k in (0, 1)] if known else None
            seen = self.last[name]
            objects.append(
                {
                    "id": name,
                    "kind": "ball" if name == "ball" else "paddle",
                    "present": box is not None,
                    "bbox": box,
                    "velocity": speed,
                    "velocity_valid": known,
                    "sample_interval_raw_frames": span if known else None,
                    "age_since_last_seen_raw_frames": None if seen is None else frame - seen,
                }
            )
        self.past = (self.past + [(frame, boxes)])[-4:]
        return {
            "schema_version": "atari-object-observation-v1",
            "extractor_version": "pong-ocatari-derived-v1",
            "game": "ALE/Pong-v5",
            "observation_source": "ram",
            "coordinates": COORDINATES,
            "control": {
                "requested_hold_frames": HOLD,
                "sticky_action_probability": 0.25,
                "last_requested_action_id": asked,
                "last_executed_action_id": None,
            },
            "objects": objects,
            "history": [{"offset_raw_frames": at - frame, "boxes": dict(old)} for at, old in self.past],
            "events_observed": events,
            "candidate_actions": CANDIDATES,
        }

    def point(self):
        for _, boxes in self.past:
            boxes["ball"] = None


def choose(observation, band):
    player, _, ball = (thing["bbox"] for thing in observation["objects"])
    if not player or not ball:
        return 0
    gap = ball[1] + ball[3] / 2 - player[1] - player[3] / 2
    return 2 if gap < -band else 3 if gap > band else 0


def start(rom, seed):
    sequence = numpy.random.SeedSequence(seed)
    ale = ale_py.ALEInterface()
    ale.setInt("random_seed", int(numpy.int32(sequence.generate_state(2)[1])))
    ale.setFloat("repeat_action_probability", 0.25)
    ale.loadROM(rom)
    ale.setMode(0)
    ale.setDifficulty(0)
    ale.reset_game()
    noops = int(numpy.random.Generator(numpy.random.PCG64(sequence)).integers(0, 31))
    for _ in range(noops):
        assert ale.act(0) == 0 and not ale.game_over()
    return ale, noops


def play(rom, arm, seed, frames, folder):
    policy, band = ARMS[arm]
    ale, raw = start(rom, seed)
    watcher = Watcher()
    seen = watcher.look(ale.getRAM(), raw, None, [])
    rams = hashlib.sha256()
    with open(f"{folder}/frames.jsonl", "w") as frame_file, open(f"{folder}/transitions.jsonl", "w") as step_file:
        for decision in range(frames // HOLD):
            action = choose(seen, band)
            rewards, events, over = [], [], False
            for _ in range(HOLD):
                reward = ale.act(ACTIONS[action][2])
                raw += 1
                over = ale.game_over()
                ram = ale.getRAM()
                rams.update(hashlib.sha256(ram.tobytes()).digest())
                rewards.append(float(reward))
                if reward:
                    events.append("point_scored" if reward > 0 else "point_lost")
                    watcher.point()
                line = {
                    "decision": decision,
                    "raw_frame": raw,
                    "requested_action_id": action,
                    "ram_bytes": ram.tolist(),
                    "rgb_sha256": hashlib.sha256(ale.getScreenRGB().tobytes()).hexdigest(),
                    "reward": float(reward),
                    "terminated": over,
                    "truncated": False,
                }
                frame_file.write(json.dumps(line) + "\n")
                if over:
                    break
            after = watcher.look(ale.getRAM(), raw, action, events)
            line = {
                "decision": decision,
                "observation": seen,
                "action": action,
                "prediction": {"policy": policy},
                "rewards": rewards,
                "raw_frames": len(rewards),
                "next_observation": after,
                "terminated": over,
                "truncated": not over and decision + 1 == frames // HOLD,
            }
            step_file.write(json.dumps(line) + "\n")
            seen = after
            if over:
                break


def digest(path):
    with open(path, "rb") as handle:
        return hashlib.sha256(handle.read()).hexdigest()


def main():
    mode, image, frames = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seeds = [int(text) for text in sys.argv[4:]]
    ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)
    result = {"ale_py": ale_py.__version__, "numpy": numpy.__version__, "python": platform.python_version()}
    with tempfile.TemporaryDirectory() as folder:
        rom = f"{folder}/pong.bin"
        shutil.copy(image, rom)
        started = time.perf_counter()
        files = {}
        for arm in ARMS:
            for seed in seeds:
                there = f"{folder}/{arm}/seed-{seed}"
                os.makedirs(there)
                play(rom, arm, seed, frames, there)
                for name in ("frames.jsonl", "transitions.jsonl"):
                    if mode == "digests":
                        files[f"{arm}/seed-{seed}/{name}"] = digest(f"{there}/{name}")
        result["seconds"] = time.perf_counter() - started
    if mode == "digests":
        del result["seconds"]
        result["frames"] = frames
        result["files"] = files
    json.dump(result, sys.stdout, indent=1)
    print()


main()
