/**
 * Several members of one conference in this tab, each with an engine in a worker of its own; told what to do from
 * outside.
 */
import { Conference, type Identity } from "@keymoot/core"
import { openForgetfulIdentity } from "@keymoot/core/testing"

const CHANNEL = "large"

type Member = { readonly identity: Identity; readonly conference: Conference; readonly texts: string[] }
export type Seen = {
  /** `id status size links` of each member here. */
  readonly views: readonly string[]
  /** Each member's links, and how many of them are direct. */
  readonly links: readonly { readonly all: number; readonly direct: number }[]
  readonly security: readonly string[]
}

export class Tab {
  readonly #members: Member[] = []
  readonly #security: string[] = []
  readonly #meshMax: number

  /** `meshMax`: 0 for the default. */
  constructor(meshMax: number) {
    this.#meshMax = meshMax
  }

  async create(): Promise<string> {
    const identity = await this.#identity("first")
    const conference = await Conference.create({ server: location.origin, identity, localCopy: false })
    this.#add(identity, conference)
    return conference.invitation.url
  }

  async join(url: string, name: string): Promise<void> {
    const identity = await this.#identity(name)
    this.#add(identity, await Conference.join({ url, identity, localCopy: false }))
  }

  /** One message of each, as agreed; resolves when all are ordered. */
  async say(about: string): Promise<void> {
    await Promise.all(
      this.#members.map(({ conference, identity }) =>
        conference.channel(CHANNEL).send(`${about} ${identity.name}`, { service: "agreed" }),
      ),
    )
  }

  /** One message of the first member here. */
  async sayFirst(text: string): Promise<void> {
    await this.#members[0]!.conference.channel(CHANNEL).send(text, { service: "agreed" })
  }

  /** The messages about it that each member has received, in its order. */
  heard(about: string): string[] {
    return this.#members.map(({ texts }) => texts.filter((text) => text.startsWith(`${about} `)).join())
  }

  look(): Seen {
    return {
      views: this.#members.map(({ conference: { view } }) => `${view.id} ${view.status} ${view.members.length}`),
      links: this.#members.map(({ conference: { links } }) => ({
        all: links.size,
        direct: [...links.values()].filter((path) => path === "direct").length,
      })),
      security: this.#security,
    }
  }

  #identity(name: string): Promise<Identity> {
    const options = { type: "module", name: `${this.#meshMax}` } as const
    return openForgetfulIdentity(name, () => new Worker("./member-worker.js", options))
  }

  #add(identity: Identity, conference: Conference): void {
    const texts: string[] = []
    conference.channel(CHANNEL).on("message", ({ data }) => void texts.push(new TextDecoder().decode(data)))
    conference.on("security", ({ code, detail }) => void this.#security.push(`${code}: ${detail}`))
    this.#members.push({ identity, conference, texts })
  }
}

declare global {
  interface Window {
    Tab: typeof Tab
    tab: Tab
  }
}
window.Tab = Tab
