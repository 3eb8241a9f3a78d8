"""Qt Quick: draws a scene by Vulkan or OpenGL (QSG_RHI_BACKEND) in a window: qt_quick.py NAME.npy"""

import os
import sys

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtQuick import QQuickView, QSGRendererInterface

SCENE = """
import QtQuick
Rectangle {
    width: 320; height: 240
    gradient: Gradient { GradientStop { position: 0; color: "navy" } GradientStop { position: 1; color: "teal" } }
    Rectangle {
        x: 40; y: 30; width: 100; height: 80; radius: 20; rotation: 20; color: "tomato"
        border { width: 4; color: "white" }
    }
    Text { x: 30; y: 160; text: "Quadrille"; font.pixelSize: 40; color: "gold" }
    Item {
        x: 180; y: 60; width: 90; height: 90; opacity: 0.5; layer.enabled: true
        Rectangle { width: 60; height: 60; color: "lime" }
        Rectangle { x: 30; y: 30; width: 60; height: 60; color: "magenta" }
    }
}
"""
with open("qt_quick.qml", "w") as f:
    f.write(SCENE)
app = QGuiApplication(sys.argv)
view = QQuickView()
view.setSource("qt_quick.qml")
view.show()
wanted = {"vulkan": QSGRendererInterface.Vulkan, "opengl": QSGRendererInterface.OpenGL}[os.environ["QSG_RHI_BACKEND"]]


def grab():
    picture = view.grabWindow().convertToFormat(QImage.Format_RGB888)
    assert view.rendererInterface().graphicsApi() == wanted, view.rendererInterface().graphicsApi()
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.bytesPerLine())
    np.save(sys.argv[1], rows[:, : 3 * picture.width()].reshape(picture.height(), picture.width(), 3))
    with open("/proc/self/maps") as f:
        loaded = f.read()
    print(" ".join(sorted({os.path.basename(line.split()[-1]) for line in loaded.splitlines() if ".so" in line})))
    app.quit()


QTimer.singleShot(500, grab)
app.exec()
