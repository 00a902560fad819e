/**
 * A server's directory, for one identity. The engine signs proofs of possession and checks all answers; this asks.
 *
 * The connection is not the one of the conferences. Otherwise the server would learn which member of a room has proved
 * which certificate.
 */
import { NAME_CODE_POINTS_MAX, type ProofPurpose } from "@keymoot/transport/signaling-protocol"
import {
  type DirectoryHandle,
  type DirectoryOptions,
  type DirectoryPage,
  KeymootError,
  type ListedConference,
  type ListedPerson,
  type ScheduledConference,
} from "../../api/index.ts"
import { createQueue } from "../../queues/action-queue.ts"
import type { ListedDescriptor } from "../../rpc/protocol.ts"
import type { EngineConnection } from "../connection/engine-connection.ts"
import { aside, connectionBehind, madeOf } from "../entering.ts"
import { assertArguments, assertScheduleOptions, text } from "../options.ts"
import { equalBytes } from "../../wire/index.ts"
import { DirectoryServer } from "./directory-server.ts"

/** An entry of `conference:list`. `creator`: a fingerprint. */
type ListedEntry = Pick<ListedDescriptor, "id" | "startsAtMs" | "endsAtMs" | "creator">

export class DirectoryClient implements DirectoryHandle {
  readonly #identity: DirectoryOptions["identity"]
  readonly #server: DirectoryServer
  readonly #origin: string
  /**
   * Runs one proof at a time, with the request that it is for. The server keeps one challenge and one proof for each
   * connection, and a later one replaces it.
   */
  readonly #inOrder = createQueue()

  constructor({ server, identity }: DirectoryOptions) {
    this.#identity = identity
    this.#server = new DirectoryServer(server)
    this.#origin = this.#server.origin
  }

  async publishedName(): Promise<string | null> {
    for (const { name, fingerprint, certificate } of await this.#engine().call("directory.own", {})) {
      const listed = await this.#server.certificateOf(fingerprint)
      if (listed === null) continue
      if (equalBytes(listed, certificate)) return name
      const message =
        "The server sent another certificate than this identity's. Do not trust it, and withdraw the entry."
      throw new KeymootError("certificate-mismatch", message)
    }
    return null
  }

  async publish(): Promise<void> {
    await this.#inOrder(() => this.#prove("participant:add"))
    this.#server.forgetCertificates()
  }

  async withdraw(): Promise<void> {
    await this.#inOrder(() => this.#prove("participant:remove"))
    this.#server.forgetCertificates()
  }

  async find(name: string, options: { readonly after?: string } = {}): Promise<DirectoryPage<ListedPerson>> {
    assertArguments({ name: text }, { name })
    const { after } = assertArguments({ "after?": text }, options)
    const prefix = name.normalize("NFC").trim()
    if (prefix === "" || [...prefix].length > NAME_CODE_POINTS_MAX) {
      throw new KeymootError("invalid-argument", `Give 1 to ${NAME_CODE_POINTS_MAX} characters of a name.`)
    }
    const { entries, next = null } = await this.#server.ask("participant:list", { prefix, ...(after && { after }) })
    return { entries: await Promise.all(entries.map((entry) => this.#person(entry))), next }
  }

  async conferences(options: { readonly after?: string } = {}): Promise<DirectoryPage<ListedConference>> {
    const { after } = assertArguments({ "after?": text }, options)
    const own = (await this.#engine().call("directory.own", {})).map(({ fingerprint }) => fingerprint)
    // The cursor of this client names the certificate before the server's own cursor.
    const [named = "", cursor = ""] = after?.split(" ") ?? []
    const found = new Map<string, ListedConference>()
    for (const fingerprint of own.slice(Math.max(0, own.indexOf(named)))) {
      const { entries, next } = await this.#inOrder(async () => {
        await this.#prove("participant:prove", fingerprint)
        return this.#server.ask("conference:list", fingerprint === named ? { after: cursor } : {})
      })
      const conferences = await Promise.all(entries.map((entry) => this.#conference(entry)))
      for (const conference of conferences) found.set(conference.id, conference)
      if (next !== undefined) return { entries: byOpening(found), next: `${fingerprint} ${next}` }
    }
    return { entries: byOpening(found), next: null }
  }

  async create(options: Parameters<DirectoryHandle["create"]>[0]): Promise<ScheduledConference> {
    const { opensAtMs = null, ...rest } = { ...options }
    const wanted = { ...rest, server: this.#origin }
    assertScheduleOptions({ ...wanted, identity: this.#own(), opensAtMs: opensAtMs ?? 0 })
    const made = { ...madeOf(wanted), opensAtMs }
    const { scheduled, creation } = await this.#engine().call("directory.create", made)
    try {
      await this.#inOrder(async () => {
        await this.#prove("participant:prove")
        await this.#server.ask("conference:create", creation)
      })
      return scheduled
    } catch (error) {
      await this.#engine().call("conference.forget", { id: scheduled.id })
      throw error
    }
  }

  close(): void {
    this.#server.close()
  }

  async #conference({ id, startsAtMs, endsAtMs, creator }: ListedEntry): Promise<ListedConference> {
    const [descriptor, certificate] = await Promise.all([
      this.#server.descriptorOf(id),
      this.#server.certificateOf(creator),
    ])
    const listed = { id, startsAtMs, endsAtMs, creator, certificate, descriptor }
    return this.#engine().call("directory.conference", listed)
  }

  async #person({ fingerprint, name }: { readonly fingerprint: string; readonly name: string }): Promise<ListedPerson> {
    const certificate = await this.#server.certificateOf(fingerprint)
    const listed = { fingerprint, name, certificate }
    return aside(this.#identity, (connection) => connection.call("directory.person", listed))
  }

  /** @param fingerprint of an own certificate */
  async #prove(purpose: ProofPurpose, fingerprint = this.#own().fingerprint): Promise<void> {
    const { challenge } = await this.#server.ask("participant:challenge", {})
    const asked = { purpose, origin: this.#origin, challenge, fingerprint }
    const { certificate, signature } = await this.#engine().call("directory.prove", asked)
    await this.#server.ask(purpose, { certificate, origin: this.#origin, signature })
  }

  /** @throws KeymootError `invalid-argument` */
  #own(): NonNullable<DirectoryOptions["identity"]> {
    if (this.#identity) return this.#identity
    throw new KeymootError("invalid-argument", "Open the directory with an identity for that.")
  }

  #engine(): EngineConnection {
    return connectionBehind(this.#own())
  }
}

function byOpening(conferences: ReadonlyMap<string, ListedConference>): ListedConference[] {
  return [...conferences.values()].sort((a, b) => a.opensAtMs - b.opensAtMs)
}
