extends Node3D
func shape(mesh: Mesh, at: Vector3, colour: Color, metallic: float) -> void:
	var node := MeshInstance3D.new()
	var material := StandardMaterial3D.new()
	material.albedo_color = colour
	material.metallic = metallic
	material.roughness = 0.4
	mesh.surface_set_material(0, material)
	node.mesh = mesh
	node.position = at
	add_child(node)
func _ready() -> void:
	var camera := Camera3D.new()
	camera.position = Vector3(0, 1.5, 4)
	camera.rotation = Vector3(-0.3, 0, 0)
	add_child(camera)
	var sun := DirectionalLight3D.new()
	sun.rotation = Vector3(-0.9, 0.6, 0)
	sun.shadow_enabled = true
	add_child(sun)
	var lamp := OmniLight3D.new()
	lamp.position = Vector3(-1.5, 1, 1)
	lamp.light_color = Color(1, 0.6, 0.2)
	add_child(lamp)
	var around := WorldEnvironment.new()
	around.environment = Environment.new()
	around.environment.background_mode = Environment.BG_SKY
	around.environment.sky = Sky.new()
	around.environment.sky.sky_material = ProceduralSkyMaterial.new()
	around.environment.tonemap_mode = Environment.TONE_MAPPER_FILMIC
	around.environment.glow_enabled = true
	around.environment.ssao_enabled = true
	add_child(around)
	shape(PlaneMesh.new(), Vector3(0, -0.5, 0), Color(0.6, 0.7, 0.6), 0)
	shape(BoxMesh.new(), Vector3(-1.2, 0, 0), Color(0.8, 0.2, 0.1), 0)
	shape(SphereMesh.new(), Vector3(0.1, 0, 0.2), Color(0.9, 0.8, 0.5), 1)
	shape(TorusMesh.new(), Vector3(1.5, 0, -0.3), Color(0.1, 0.3, 0.9), 0.2)
	for i in 12:
		await get_tree().process_frame
	await RenderingServer.frame_post_draw
	get_viewport().get_texture().get_image().save_png(OS.get_cmdline_user_args()[0])
	print(RenderingServer.get_video_adapter_name())
	get_tree().quit()
