import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" }

export type StaticServer = { readonly origin: string; close(): void }

/** Serves a folder as any host for static files does, for a test's own pages only. */
export async function serveFolder(directory: string, headers: Record<string, string> = {}): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    const file = join(directory, pathname.endsWith("/") ? `${pathname}index.html` : pathname)
    readFile(file).then(
      (bytes) => response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "", ...headers }).end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close }
}
