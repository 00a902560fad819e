/** Talk of waiting people with hosts, as one end knows it. Pure: seals and signatures are opened before. */
import type { MemberId } from "@keymoot/transport"
import type { LobbyMessage } from "../api/index.ts"
import type { OutsideBody } from "./outside-codec.ts"

/**
 * Bound on a guest's messages without an answer. The guest writes no further ones until any host has answered. Each host
 * keeps the newest that it has not answered itself, because it does not see answers of others.
 */
export const UNANSWERED_MAX = 4
/** Bound on the messages kept of one talk. The oldest is dropped. */
export const DOOR_MESSAGES_KEPT_MAX = 16

/** One talk with one other end, or a guest's own talk with all hosts. */
type Talk = { messages: LobbyMessage[]; last: number; replyKey: Uint8Array | null }

export class OutsideTalk {
  /** By guest, at a host. Its callers bound the guests: see `KNOCKS_MAX`. */
  readonly #guests = new Map<MemberId, Talk>()
  readonly #own: Talk = newTalk()
  /** Own messages that no host has answered, at a guest. */
  #unanswered = 0
  /** Highest number of each host, at a guest. */
  readonly #hosts = new Map<MemberId, number>()

  messagesOf(guest: MemberId): readonly LobbyMessage[] {
    return this.#guests.get(guest)?.messages ?? []
  }

  /** This guest's own talk. */
  get messages(): readonly LobbyMessage[] {
    return this.#own.messages
  }

  replyKeyOf(guest: MemberId): Uint8Array | null {
    return this.#guests.get(guest)?.replyKey ?? null
  }

  get mayWrite(): boolean {
    return this.#unanswered < UNANSWERED_MAX
  }

  /** At a host. Returns false for a replay. */
  guestWrote(guest: MemberId, { number, replyKey, text }: OutsideBody): boolean {
    const talk = this.#guests.get(guest) ?? newTalk()
    if (number <= talk.last) return false
    this.#guests.set(guest, talk)
    talk.last = number
    talk.replyKey = replyKey
    if (text === "") return true
    const answered = talk.messages.findLastIndex(({ byHost }) => byHost) + 1
    const unanswered = talk.messages.slice(answered).slice(1 - UNANSWERED_MAX)
    talk.messages = [...talk.messages.slice(0, answered), ...unanswered]
    keep(talk, { text, byHost: false })
    return true
  }

  /** At a host, about its own answer. */
  answered(guest: MemberId, text: string): void {
    const talk = this.#guests.get(guest)
    if (talk) keep(talk, { text, byHost: true })
  }

  /** At a guest. */
  wrote(text: string): void {
    this.#unanswered++
    keep(this.#own, { text, byHost: false })
  }

  /** At a guest. Returns false for a replay. */
  hostWrote(host: MemberId, { number, text }: OutsideBody): boolean {
    if (number <= (this.#hosts.get(host) ?? 0)) return false
    this.#hosts.set(host, number)
    this.#unanswered = 0
    keep(this.#own, { text, byHost: true })
    return true
  }

  /** The link with it has ended. At a guest, `hostHere` says whether another host is linked. */
  left(member: MemberId, hostHere: boolean): void {
    this.#guests.delete(member)
    // A reloaded host counts from 1 again. Nobody else can repeat its answers on the next link.
    this.#hosts.delete(member)
    // A host that returns has no message of this guest, so it has none to answer.
    if (!hostHere) this.#unanswered = 0
  }
}

function newTalk(): Talk {
  return { messages: [], last: 0, replyKey: null }
}

function keep(talk: Talk, message: LobbyMessage): void {
  talk.messages = [...talk.messages, message].slice(-DOOR_MESSAGES_KEPT_MAX)
}
