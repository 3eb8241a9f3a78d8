"""RenderDoc: replays a capture of vkcube, and writes what its analysis finds: renderdoc_replay.py CAPTURE PICTURE.png

The last line is JSON: positions of the vertices of the draw after its vertex shader, and the values that a pixel took.
"""

import json
import os
import re
import struct
import sys

import renderdoc as rd

rd.InitialiseReplay(rd.GlobalEnvironment(), [])
capture = rd.OpenCaptureFile()
assert capture.OpenFile(sys.argv[1], "", None) == rd.ResultCode.Succeeded
status, replay = capture.OpenCapture(rd.ReplayOptions(), None)
assert status == rd.ResultCode.Succeeded, status


def actions(level):
    for action in level:
        yield action
        yield from actions(action.children)


every = list(actions(replay.GetRootActions()))
draw = next(a for a in every if a.flags & rd.ActionFlags.Drawcall)
last = next(a for a in every if a.flags & rd.ActionFlags.Present)

replay.SetFrameEvent(last.eventId, True)
save = rd.TextureSave()
save.resourceId, save.alpha, save.destType = last.copyDestination, rd.AlphaMapping.Discard, rd.FileType.PNG
replay.SaveTexture(save, sys.argv[2])

replay.SetFrameEvent(draw.eventId, True)
mesh = replay.GetPostVSData(0, 0, rd.MeshDataStage.VSOut)
data = replay.GetBufferData(mesh.vertexResourceId, mesh.vertexByteOffset, 0)
positions = [struct.unpack_from("4f", data, i * mesh.vertexByteStride) for i in range(mesh.numIndices)]

target = replay.GetPipelineState().GetOutputTargets()[0].resourceId
history = replay.PixelHistory(target, 250, 250, rd.Subresource(), rd.CompType.Typeless)
values = [list(h.postMod.col.floatValue) for h in history if h.Passed()]
replay.Shutdown()
capture.Shutdown()
with open("/proc/self/maps") as f:
    names = {os.path.basename(line.split()[-1]) for line in f if re.search(r"lib(vk|vulkan)_", line)}
print(json.dumps({"positions": positions, "values": values, "libraries": sorted(names)}))
rd.ShutdownReplay()
