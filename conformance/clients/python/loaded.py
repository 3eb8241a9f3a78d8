"""For clients whose library does not tell its device: the driver under test must be loaded in this process."""

import json
import os


def driver():
    """Returns the file name of the driver's library."""
    with open(os.environ["VK_DRIVER_FILES"]) as f:
        name = os.path.basename(json.load(f)["ICD"]["library_path"])
    with open("/proc/self/maps") as f:
        assert name in f.read(), f"{name} is not loaded"
    return name
