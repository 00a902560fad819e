/**
 * Hosts on one machine: network namespaces, each with one address. Unchanged programs run on them, browsers and their
 * WebRTC included. A lab or a line connects them.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "@playwright/test"
import { launch } from "../browsers.ts"
import { ip, namespaceOf, processesIn, remove, removeAbandoned } from "./namespaces.ts"

/** The missing requirement of this machine and its remedy. */
export class LabUnavailable extends Error {}

/** The network device of each host, towards the others. */
export const DEVICE = "wan0"

const NETWORK = "10.77.0"
const HOSTS_MAX = 200

/**
 * Features that a Chromium on a host goes without. A page from a test, not from the lab, must be able to open WebSockets
 * to a server in the lab. Otherwise Socket.IO silently falls back to polling, and every connection takes two round trips
 * more.
 */
const FEATURES_OFF = ["LocalNetworkAccessChecks", "LocalNetworkAccessChecksWebSockets"]
/** Hides local addresses behind names that only the host's own network segment can resolve. */
const MDNS_NAMES = "WebRtcHideLocalIpsWithMdns"

export class Hosts {
  readonly #names: readonly string[]
  readonly #scripts: string

  /** One set of them at a time in a process. @param names up to 200; a few letters and digits each */
  protected constructor(names: readonly string[]) {
    if (names.length > HOSTS_MAX || !names.every((host) => /^[a-z0-9]{1,12}$/u.test(host)))
      throw new RangeError(`up to ${HOSTS_MAX} hosts of up to 12 small letters and digits, not ${names.join(", ")}`)
    removeAbandoned()
    this.#names = names
    this.#scripts = mkdtempSync(join(tmpdir(), "keymoot-lab-"))
    for (const host of names) ip("netns", "add", namespaceOf(host))
  }

  /** The host's only address that others reach. */
  address(host: string): string {
    return `${NETWORK}.${this.placeOf(host)}`
  }

  /** The start of a command line that runs the program on that host. */
  on(host: string): readonly [string, ...string[]] {
    this.placeOf(host)
    return ["nsenter", `--net=/run/netns/${namespaceOf(host)}`]
  }

  /** The path of a script that starts the program on that host: for those who take a path only. */
  executableOn(host: string, program: string): string {
    const path = join(this.#scripts, `${host}-${program.replaceAll("/", "-")}`)
    writeFileSync(path, `#!/bin/sh\nexec ${this.on(host).join(" ")} ${program} "$@"\n`)
    chmodSync(path, 0o700)
    return path
  }

  /** To every program on that host: SIGSTOP and SIGCONT make a computer sleep and wake up. */
  signal(host: string, signal: NodeJS.Signals): void {
    this.placeOf(host)
    for (const pid of processesIn(namespaceOf(host))) process.kill(pid, signal)
  }

  /** Once its device is there. @param gateway of a host that is not in the common network */
  protected connect(host: string, address = this.address(host), gateway?: string): void {
    const namespace = namespaceOf(host)
    ip("-n", namespace, "link", "set", "lo", "up")
    ip("-n", namespace, "addr", "add", `${address}/24`, "dev", DEVICE)
    ip("-n", namespace, "link", "set", DEVICE, "up")
    // A browser takes for its own address the one from which it would reach the rest of the world.
    const via = gateway === undefined ? [] : ["via", gateway]
    ip("-n", namespace, "route", "add", "default", ...via, "dev", DEVICE)
  }

  /** From 1. @throws RangeError if there is none of that name */
  protected placeOf(host: string): number {
    const place = this.#names.indexOf(host)
    if (place < 0) throw new RangeError(`there is no host ${host}: there are ${this.#names.join(", ")}`)
    return place + 1
  }

  /** With whatever still runs on them. */
  protected removeAll(): void {
    for (const host of this.#names) remove(namespaceOf(host))
    rmSync(this.#scripts, { recursive: true, force: true })
  }
}

/**
 * Chromium on that host, as it is installed.
 * @param origins of servers, separated by commas: browsers offer their cryptography on https only, unless told
 * @param hidesAddresses as people have it. By default it does not: in a lab without STUN nobody could connect.
 * @param more further switches
 */
export function openChromium(
  hosts: Hosts,
  host: string,
  origins: string,
  hidesAddresses = false,
  more: readonly string[] = [],
): Promise<Browser> {
  const off = hidesAddresses ? FEATURES_OFF : [MDNS_NAMES, ...FEATURES_OFF]
  const switches = [
    `--unsafely-treat-insecure-origin-as-secure=${origins}`,
    `--disable-features=${off.join(",")}`,
    ...more,
  ]
  return launch("chromium", switches, (program) => hosts.executableOn(host, program))
}
