import type { NetworkInterfaceInfo } from "node:os"

/** Addresses of this machine in the text; one with containers can have dozens. */
const ADDRESSES_MAX = 4
const LOOPBACK = ["127.0.0.1", "::1", "localhost"]
/** Addresses that accept connections on every network of the machine. */
const EVERYWHERE = ["0.0.0.0", "::"]

type Listening = {
  /** For a browser on this machine. */
  readonly url: string
  readonly host: string
  readonly publicOrigins: readonly string[]
  /** The addresses of this machine. It throws where a sandbox hides them, as the unit for systemd does. */
  readonly interfaces: () => Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>
}

/**
 * The lines that a started server prints: the addresses that work, and what other devices lack. Browsers have no
 * cryptography for pages over http, except on the machine itself.
 */
export function readyText({ url, host, publicOrigins, interfaces }: Listening): string {
  const secure = publicOrigins.filter((origin) => origin.startsWith("https:"))
  const lines = [`Keymoot is ready at ${url}`, ...secure.map((origin) => `People open ${origin}`)]
  if (secure.length === 0 && !LOOPBACK.includes(host)) {
    const { port } = new URL(url)
    const reached = addressesOf(host, interfaces).map((address) => `http://${address}:${port}`)
    lines.push(
      `That address works on this machine only. Other devices reach ${reached.join(", ") || "no address"},`,
      "but browsers encrypt over https only. Put a reverse proxy with a certificate in front,",
      "and set PUBLIC_ORIGIN to its address: docs/self-hosting.md shows how.",
    )
  }
  return `${lines.join("\n")}\n`
}

function addressesOf(host: string, interfaces: Listening["interfaces"]): readonly string[] {
  if (!EVERYWHERE.includes(host)) return [host.includes(":") ? `[${host}]` : host]
  const all = Object.values(ifVisible(interfaces)).flatMap((addresses) => addresses ?? [])
  const outside = all.filter(({ internal, scopeid }) => !internal && !scopeid)
  const found = outside.flatMap(({ family, address }) =>
    family === "IPv4" ? [address] : host === "::" ? [`[${address}]`] : [],
  )
  return found.slice(0, ADDRESSES_MAX)
}

function ifVisible(interfaces: Listening["interfaces"]): ReturnType<Listening["interfaces"]> {
  try {
    return interfaces()
  } catch {
    return {}
  }
}
