"""Qt Quick 3D: draws a lit scene by Vulkan or OpenGL (QSG_RHI_BACKEND) in a window: qt_quick_3d.py NAME.npy"""

import os
import sys

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtQuick import QQuickView, QSGRendererInterface

SCENE = """
import QtQuick
import QtQuick3D
View3D {
    width: 320; height: 240
    environment: SceneEnvironment {
        backgroundMode: SceneEnvironment.Color; clearColor: "#204060"
        tonemapMode: SceneEnvironment.TonemapModeFilmic
    }
    PerspectiveCamera { position: Qt.vector3d(0, 150, 400); eulerRotation.x: -18 }
    DirectionalLight {
        eulerRotation: Qt.vector3d(-50, -30, 0); castsShadow: true; shadowFactor: 80
        shadowMapQuality: Light.ShadowMapQualityHigh
    }
    PointLight { position: Qt.vector3d(-150, 120, 100); color: "orange"; brightness: 2 }
    Model {
        source: "#Rectangle"; eulerRotation.x: -90; y: -60; scale: Qt.vector3d(6, 6, 1)
        materials: PrincipledMaterial { baseColor: "#90a090"; roughness: 0.8 }
    }
    Model {
        source: "#Cube"; x: -110; eulerRotation.y: 30
        materials: PrincipledMaterial { baseColor: "tomato"; roughness: 0.5 }
    }
    Model { source: "#Sphere"; materials: PrincipledMaterial { baseColor: "gold"; metalness: 1; roughness: 0.4 } }
    Model { source: "#Cone"; x: 110; y: -50; materials: DefaultMaterial { diffuseColor: "teal"; opacity: 0.6 } }
}
"""
with open("qt_quick_3d.qml", "w") as f:
    f.write(SCENE)
app = QGuiApplication(sys.argv)
view = QQuickView()
view.setSource("qt_quick_3d.qml")
assert not view.errors(), view.errors()
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


QTimer.singleShot(1500, grab)
app.exec()
