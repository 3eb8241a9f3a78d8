// Number of steps after which each point of a picture leaves the circle of radius 2.
kernel void mandelbrot(global uint *steps, uint width, uint height, uint most) {
    size_t x = get_global_id(0), y = get_global_id(1);
    float cx = 3.0f * (float)x / (float)width - 2.25f;
    float cy = 2.5f * (float)y / (float)height - 1.25f;
    float zx = 0.0f, zy = 0.0f;
    uint n = 0;
    while (n < most && zx * zx + zy * zy < 4.0f) {
        float next = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = next;
        n++;
    }
    steps[y * width + x] = n;
}
