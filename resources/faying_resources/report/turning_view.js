// The pictures of a report that turn: WebGL 2 alone, no library, no network.
//
// Each element of the class "turning" has the mesh and its frames as JSON: quantised numbers as base64 text. Without WebGL 2, and on paper, the picture inside the element stays.
"use strict";
(() => {
  const VERTEX = `#version 300 es
    in vec3 place; in vec3 moved; in float value;
    uniform mat4 camera; uniform float scale; uniform vec3 middle;
    out vec3 at; out float amount;
    void main() {
      at = place + scale * moved - middle; amount = value;
      gl_Position = camera * vec4(at, 1.0);
    }`;
  // Normals are those of the flat triangles; values below zero mean that there is none.
  const FRAGMENT = `#version 300 es
    precision highp float;
    in vec3 at; in float amount;
    uniform vec3 colours[9]; uniform vec3 plain; uniform float opacity; uniform int lines; uniform vec3 eye;
    out vec4 seen;
    void main() {
      if (lines == 1) { seen = vec4(0.1, 0.12, 0.15, opacity); return; }
      vec3 base = plain;
      if (amount >= 0.0) {
        float x = clamp(amount, 0.0, 1.0) * 8.0; int k = int(min(floor(x), 7.0));
        base = mix(colours[k], colours[k + 1], x - float(k));
      }
      vec3 normal = normalize(cross(dFdx(at), dFdy(at)));
      float light = 0.55 + 0.45 * abs(dot(normal, normalize(eye)));
      seen = vec4(base * light, opacity);
    }`;
  const COLOURS = [68, 1, 84, 71, 44, 122, 59, 81, 139, 44, 113, 142, 33, 144, 141, 39, 173, 129, 92, 200, 99,
    170, 220, 50, 253, 231, 37].map((x) => x / 255);

  const START = { yaw: -0.9, pitch: 0.5, zoom: 0, x: 0, y: 0 }; // a zoom of zero fits the body into the view

  const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer;

  function program(gl) {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    return gl.getProgramParameter(made, gl.LINK_STATUS) ? made : null;
  }

  // Column-major product of a parallel projection and a turn: yaw about z, then pitch.
  function camera(view, aspect, radius) {
    const [cy, sy, cp, sp] = [Math.cos(view.yaw), Math.sin(view.yaw), Math.cos(view.pitch), Math.sin(view.pitch)];
    const right = [-sy, cy, 0], up = [-sp * cy, -sp * sy, cp], eye = [cp * cy, cp * sy, sp];
    const k = view.zoom / radius, wide = aspect > 1 ? k / aspect : k, high = aspect > 1 ? k : k * aspect;
    const rows = [right.map((x) => x * wide), up.map((x) => x * high), eye.map((x) => -x / (4 * radius))];
    const matrix = [];
    for (let j = 0; j < 3; j += 1) matrix.push(rows[0][j], rows[1][j], rows[2][j], 0);
    matrix.push(view.x, view.y, 0, 1);
    return { matrix, eye };
  }

  class View {
    constructor(element, data) {
      this.data = data;
      this.view = { ...START };
      this.frame = data.labels.length - 1;
      this.field = 0;
      this.canvas = document.createElement("canvas");
      this.canvas.tabIndex = 0;
      this.canvas.setAttribute("role", "img");
      this.canvas.setAttribute("aria-label", `${data.title}: drag turns, wheel zooms, shift and drag moves`);
      const gl = this.canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
      this.program = gl && program(gl);
      if (!this.program) return;
      this.gl = gl;
      this.prepare();
      this.controls = document.createElement("div");
      this.controls.className = "controls";
      this.addControls();
      element.prepend(this.canvas, this.controls);
      element.classList.add("live");
      this.listen();
      new ResizeObserver(() => this.draw()).observe(this.canvas);
      this.show();
    }

    prepare() {
      const { gl, data } = this;
      const quantised = new Uint16Array(bytes(data.places));
      const places = new Float32Array(quantised.length);
      for (let i = 0; i < places.length; i += 1) places[i] = data.low[i % 3] + (quantised[i] * data.size) / 65535;
      this.count = places.length / 3;
      this.places = places;
      this.middle = [0, 1, 2].map((k) => data.low[k] + 0.5 * data.extent[k]);
      this.radius = 0.55 * Math.hypot(...data.extent) || 1;
      this.triangles = new Uint32Array(bytes(data.triangles));
      this.edges = new Uint32Array(bytes(data.edges));
      this.buffers = {};
      gl.useProgram(this.program);
      for (const [name, size] of [["place", 3], ["moved", 3], ["value", 1]]) {
        const buffer = gl.createBuffer(), at = gl.getAttribLocation(this.program, name);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ARRAY_BUFFER, name === "place" ? places : new Float32Array(size * this.count), gl.DYNAMIC_DRAW);
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0);
        this.buffers[name] = buffer;
      }
      this.indices = { known: gl.createBuffer(), other: gl.createBuffer(), edges: gl.createBuffer() };
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indices.edges);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.edges, gl.STATIC_DRAW);
    }

    addControls() {
      const { data, controls } = this;
      const fields = document.createElement("select");
      fields.setAttribute("aria-label", "Field");
      data.fields.forEach((field, k) => fields.add(new Option(field.title, k)));
      fields.onchange = () => { this.field = Number(fields.value); this.show(); };
      this.scale = document.createElement("input");
      Object.assign(this.scale, { type: "number", value: data.scale, min: 0, step: "any", title: "Deformation ×" });
      this.scale.oninput = () => this.draw();
      const times = document.createElement("label");
      times.append("deformation × ", this.scale);
      controls.append(fields, times);
      this.label = document.createElement("output");
      if (data.labels.length > 1) {
        this.slider = document.createElement("input");
        Object.assign(this.slider, { type: "range", min: 0, max: data.labels.length - 1, value: this.frame });
        this.slider.setAttribute("aria-label", "Frame");
        this.slider.oninput = () => { this.frame = Number(this.slider.value); this.show(); };
        const play = document.createElement("button");
        play.type = "button";
        play.textContent = "Play";
        play.onclick = () => {
          clearInterval(this.timer);
          this.timer = this.timer ? 0 : setInterval(() => {
            this.frame = (this.frame + 1) % data.labels.length;
            this.slider.value = this.frame;
            this.show();
          }, 120);
          play.textContent = this.timer ? "Stop" : "Play";
        };
        controls.append(play, this.slider);
      }
      controls.append(this.label);
      this.legend = document.createElement("div");
      this.legend.className = "legend";
      controls.append(this.legend);
    }

    listen() {
      const { canvas, view } = this;
      canvas.onpointerdown = (event) => canvas.setPointerCapture(event.pointerId);
      canvas.onpointermove = (event) => {
        if (!event.buttons) return;
        const box = canvas.getBoundingClientRect();
        if (event.shiftKey || event.buttons > 1) {
          view.x += (2 * event.movementX) / box.width;
          view.y -= (2 * event.movementY) / box.height;
        } else {
          view.yaw -= 0.01 * event.movementX;
          view.pitch = Math.max(-1.57, Math.min(1.57, view.pitch + 0.01 * event.movementY));
        }
        this.draw();
      };
      canvas.oncontextmenu = (event) => event.preventDefault();
      canvas.onwheel = (event) => {
        event.preventDefault();
        view.zoom *= Math.exp(-0.0015 * event.deltaY);
        this.draw();
      };
      canvas.ondblclick = () => { Object.assign(view, START); this.draw(); };
      canvas.onkeydown = (event) => {
        const turns = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
        if (!turns) return;
        event.preventDefault();
        view.yaw += turns[0];
        view.pitch = Math.max(-1.57, Math.min(1.57, view.pitch + turns[1]));
        this.draw();
      };
    }

    // Fill the buffers with the frame and the field that are chosen.
    show() {
      const { gl, data } = this, field = data.fields[this.field];
      const moved = new Int16Array(bytes(data.moved[this.frame])), far = data.far / 32767;
      const values = new Uint8Array(bytes(field.values[this.frame]));
      const amounts = Float32Array.from(values, (x) => (x === 255 ? -1 : x / 254));
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.moved);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, Float32Array.from(moved, (x) => x * far));
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.value);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, amounts);
      // Facets without a value are glass where the field lives in joints, for these are hidden inside the body.
      const known = [], other = [];
      for (let i = 0; i < this.triangles.length; i += 3) {
        const [a, b, c] = [this.triangles[i], this.triangles[i + 1], this.triangles[i + 2]];
        (!field.inside || (values[a] < 255 && values[b] < 255 && values[c] < 255) ? known : other).push(a, b, c);
      }
      this.numbers = { known: known.length, other: other.length };
      for (const [name, list] of [["known", known], ["other", other]]) {
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indices[name]);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint32Array.from(list), gl.DYNAMIC_DRAW);
      }
      this.label.textContent = data.labels[this.frame];
      this.legend.replaceChildren(field.low, document.createElement("i"), `${field.high} ${field.unit}`);
      this.draw();
    }

    // Zoom until the box around the body fills the view.
    fit(aspect) {
      this.view.zoom = 1;
      const { matrix } = camera(this.view, aspect, this.radius), half = this.data.extent.map((x) => 0.5 * x);
      let most = 0;
      for (const [i, j, k] of [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]]) {
        for (const row of [0, 1]) {
          const at = matrix[row] * i * half[0] + matrix[4 + row] * j * half[1] + matrix[8 + row] * k * half[2];
          most = Math.max(most, Math.abs(at));
        }
      }
      this.view.zoom = most > 0 ? 0.85 / most : 1;
    }

    draw() {
      const { gl, canvas } = this;
      const ratio = window.devicePixelRatio || 1;
      const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
      if (!width || !height) return;
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      gl.viewport(0, 0, width, height);
      gl.clearColor(1, 1, 1, 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
      if (!this.view.zoom) this.fit(width / height);
      const found = camera(this.view, width / height, this.radius);
      const uniform = (name) => gl.getUniformLocation(this.program, name);
      gl.uniformMatrix4fv(uniform("camera"), false, found.matrix);
      gl.uniform3fv(uniform("eye"), found.eye);
      gl.uniform3fv(uniform("middle"), this.middle);
      gl.uniform3fv(uniform("colours"), COLOURS);
      gl.uniform3f(uniform("plain"), 0.78, 0.8, 0.83);
      gl.uniform1f(uniform("scale"), Number(this.scale.value) || 0);
      const pass = (name, kind, count, opacity, lines) => {
        gl.uniform1f(uniform("opacity"), opacity);
        gl.uniform1i(uniform("lines"), lines);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indices[name]);
        if (count) gl.drawElements(kind, count, gl.UNSIGNED_INT, 0);
      };
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(1, 1);
      gl.enable(gl.BLEND);
      gl.depthMask(false);
      pass("other", gl.TRIANGLES, this.numbers.other, 0.12, 0); // first, so that it does not dim what has values
      gl.depthMask(true);
      pass("known", gl.TRIANGLES, this.numbers.known, 1, 0);
      gl.disable(gl.POLYGON_OFFSET_FILL);
      pass("edges", gl.LINES, this.edges.length, 0.8, 1);
      gl.disable(gl.BLEND);
    }
  }

  for (const element of document.querySelectorAll(".turning")) {
    new View(element, JSON.parse(element.querySelector("script").textContent));
  }
})();
