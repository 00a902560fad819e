/**
 * Hosts on one machine: network namespaces, each with one address, on which programs run unchanged, browsers and their WebRTC
 * included. What is between them is a lab's or a line's.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "@playwright/test"
import { launch } from "../browsers.ts"
import { ip, namespaceOf, remove, removeAbandoned } from "./namespaces.ts"

/** What this machine lacks, and what to do. */
export class LabUnavailable extends Error {}

/** Of each host, towards the others. */
export const DEVICE = "wan0"

const NETWORK = "10.77.0"
const HOSTS_MAX = 200

/**
 * What a Chromium on a host is not to do: hide its addresses behind names that only one's own network segment can resolve (in the
 * world a STUN server tells them), nor keep a page that did not come over the lab, but from a test, from opening WebSockets to
 * a server in it: Socket.IO would fall back to polling without a word, and every connection take two round trips more.
 */
const FEATURES_OFF =
  "--disable-features=WebRtcHideLocalIpsWithMdns,LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets"

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

  /** What a command line begins with, so that the program runs on that host. */
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

  /** Once its device is there. */
  protected connect(host: string): void {
    const namespace = namespaceOf(host)
    ip("-n", namespace, "link", "set", "lo", "up")
    ip("-n", namespace, "addr", "add", `${this.address(host)}/24`, "dev", DEVICE)
    ip("-n", namespace, "link", "set", DEVICE, "up")
    // A browser takes for its own address the one from which it would reach the rest of the world.
    ip("-n", namespace, "route", "add", "default", "dev", DEVICE)
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

/** Chromium on that host, as it is installed. @param origin of the server: browsers offer their cryptography on https only, unless told */
export function openChromium(hosts: Hosts, host: string, origin: string): Promise<Browser> {
  const switches = [`--unsafely-treat-insecure-origin-as-secure=${origin}`, FEATURES_OFF]
  return launch("chromium", switches, (program) => hosts.executableOn(host, program))
}
