/** Two browsers, each behind a NAT of its own, and a server in the public network. */
import { openChromium } from "@keymoot/e2e/hosts"
import { NatLab } from "@keymoot/e2e/nat-lab"
import type { Nat } from "@keymoot/e2e/nats"
import { pagePackage, type PagePackage } from "@keymoot/e2e/package-page"
import { ServerProcess } from "@keymoot/e2e/server"
import { startTurn, type TurnServer } from "@keymoot/tools"
import type { Browser } from "@playwright/test"
import { meet, type Meeting, type MeetingOptions } from "./meeting.ts"

const HOMES = ["ada", "bob"] as const
/** The lab's public network: coturn's configuration denies private addresses. */
const PUBLIC_RANGE = "10.77.0.0-10.77.0.255"

export class PairLab {
  /** With nothing configured, and with TURN. */
  readonly #servers: readonly ServerProcess[]
  readonly #lab: NatLab
  readonly #turn: TurnServer | null
  readonly #browsers: readonly [Browser, Browser]
  readonly #build: PagePackage

  private constructor(
    lab: NatLab,
    servers: readonly ServerProcess[],
    turn: TurnServer | null,
    browsers: readonly [Browser, Browser],
    build: PagePackage,
  ) {
    this.#lab = lab
    this.#servers = servers
    this.#turn = turn
    this.#browsers = browsers
    this.#build = build
  }

  /** @throws LabUnavailable if the machine lacks something for it */
  static async start(nats: readonly [Nat, Nat], { withTurn }: { readonly withTurn: boolean }): Promise<PairLab> {
    const lab = NatLab.start({ servers: ["srv"], homes: { ada: nats[0], bob: nats[1] } })
    try {
      const [address, before] = [lab.address("srv"), lab.on("srv")]
      const settings = { HOST: address, WEB_DIR: "none", ADDRESS_SCALE: "1000" }
      const turn = withTurn ? await startTurn({ address, before, peers: PUBLIC_RANGE }) : null
      const servers = [await ServerProcess.start(settings, before)]
      if (turn !== null) {
        const urls = ["udp", "tcp"].map((transport) => turn.url.replace(/udp$/u, transport))
        const both = { ...settings, TURN_URLS: urls.join(","), TURN_SECRET: turn.secret }
        servers.push(await ServerProcess.start(both, before))
      }
      const origins = servers.map(({ origin }) => origin).join(",")
      const [ada, bob] = [
        await openChromium(lab, HOMES[0], origins, true),
        await openChromium(lab, HOMES[1], origins, true),
      ]
      return new PairLab(lab, servers, turn, [ada, bob], await pagePackage())
    } catch (error) {
      lab.close()
      throw error
    }
  }

  /** A meeting in new pages. */
  meet(withTurn: boolean, options: MeetingOptions = {}): Promise<Meeting> {
    return meet(this.#browsers, this.#servers[withTurn ? 1 : 0]!.origin, this.#build.directory, options)
  }

  async close(): Promise<void> {
    for (const browser of this.#browsers) await browser.close()
    for (const server of this.#servers) await server.dispose()
    await this.#turn?.stop()
    this.#lab.close()
    await this.#build.dispose()
  }
}
