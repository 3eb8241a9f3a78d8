// Serves the pages on the loopback interface. WebGPU works only in a secure context, which pages of files are not.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';

createServer(async (request, response) => {
  const name = /^\/(\w+\.html)$/.exec(request.url)?.[1];
  const page = name && (await readFile(new URL(`pages/${name}`, import.meta.url)).catch(() => undefined));
  response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page);
}).listen(8931, '127.0.0.1');
