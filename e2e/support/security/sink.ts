import { createSocket } from "node:dgram"
import { once } from "node:events"
import { readdir, readFile } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const WEB_DIR = process.env["WEB_DIR"] ?? fileURLToPath(new URL("../../../apps/web/dist", import.meta.url))
const ADDRESS = /\b(?:https?|wss?|stuns?|turns?):(?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})/gu

/** Every host that is named anywhere in the built app: those that it could ask, should something in it want to. */
export async function hostsNamedInTheApp(): Promise<string[]> {
  const files = (await readdir(WEB_DIR, { recursive: true })).filter((path) => /\.(?:js|css|html)$/u.test(path))
  const texts = await Promise.all(files.map((path) => readFile(join(WEB_DIR, path), "utf8")))
  return [...new Set(texts.flatMap((text) => [...text.matchAll(ADDRESS)].map((match) => match[1] ?? "")))]
}

/** A place where requests to strangers end up and are noted. */
export class Sink {
  readonly heard: string[] = []
  readonly #tcp = createServer((socket) => {
    socket.on("data", (data) => this.heard.push(data.toString("latin1").slice(0, 200)))
    socket.on("error", () => undefined) // Data that arrived before the error is recorded.
    socket.end("HTTP/1.1 204 No Content\r\n\r\n")
  })
  readonly #udp = createSocket("udp4", (data) => this.heard.push(`a datagram of ${data.length} bytes`))

  static async open(): Promise<Sink> {
    const sink = new Sink()
    sink.#tcp.listen(0, "127.0.0.1")
    await once(sink.#tcp, "listening")
    sink.#udp.bind(sink.port, "127.0.0.1")
    await once(sink.#udp, "listening")
    return sink
  }

  get port(): number {
    return (this.#tcp.address() as AddressInfo).port
  }

  /**
   * For Chromium: these hosts are here, and no other exists, so that it is not its own services that are heard.
   * Names under .local are those by which browsers hide their addresses from each other.
   */
  chromiumArguments(hosts: readonly string[]): string[] {
    const rules = [
      ...hosts.map((host) => `MAP ${host} 127.0.0.1:${this.port}`),
      "MAP * ~NOTFOUND",
      "EXCLUDE localhost",
      "EXCLUDE *.local",
    ]
    return [`--host-resolver-rules=${rules.join(", ")}`]
  }

  close(): void {
    this.#tcp.close()
    this.#udp.close()
  }
}
