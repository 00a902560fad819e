/** Renewal of the key for the same members: periodic, on a member's request, or after a stalled agreement. */
import type { MemberId } from "@keymoot/transport"
import type { Clock } from "../platform/surroundings.ts"
import { KeymootError, type ConferenceView } from "../api/index.ts"
import { MessageKind } from "../multicast/message-kind.ts"
import type { GroupDriver } from "./group-driver.ts"
import { RekeyTimer } from "./rekey-timer.ts"

/** Minimum interval between two requested rekeys. It bounds how often members can force the others to rekey. */
const REFRESH_APART_MS = 15_000

export type KeyRenewalConfig = {
  readonly self: MemberId
  readonly driver: GroupDriver
  /** The application's present view. */
  readonly roster: { readonly view: ConferenceView }
  /** Sends a request to the lowest member, which alone may start a view of the same members. */
  readonly sending: { sendAboutKey(kind: MessageKind, payload: Uint8Array): void }
  readonly clock: Clock
}

export class KeyRenewal {
  readonly #config: KeyRenewalConfig
  readonly #timer = new RekeyTimer()

  constructor(config: KeyRenewalConfig) {
    this.#config = config
  }

  onStatus(status: "agreeing" | "keyed" | "secured"): void {
    this.#timer.onStatus(status)
  }

  /** A message was sent or delivered. */
  onActivity(): void {
    this.#timer.onActivity()
  }

  tick(nowMs: number): void {
    const { driver, self } = this.#config
    const due = driver.expectsKey ? this.#timer.due(nowMs, driver.view, self) : null
    if (due === "refresh" || (due === "stalled" && this.#isLowest())) driver.refresh()
    if (due === "lowest-fails") driver.obstructed(driver.view.members[0]!.id)
  }

  /** Requests a new key for this member's application. @throws KeymootError `too-soon` */
  ask(): void {
    if (!this.#mayRefresh()) {
      const message = "A new key has just been agreed, or is being agreed now. Try again in a quarter of a minute."
      throw new KeymootError("too-soon", message)
    }
    if (this.#isLowest()) this.#config.driver.refresh()
    else this.#config.sending.sendAboutKey(MessageKind.refreshWish, new Uint8Array(0))
  }

  /** Handles another member's request. */
  onWish(): void {
    if (this.#isLowest() && this.#mayRefresh()) this.#config.driver.refresh()
  }

  #mayRefresh(): boolean {
    const { roster, clock } = this.#config
    const { securedAtMs } = roster.view
    return securedAtMs !== null && clock.now() - securedAtMs >= REFRESH_APART_MS
  }

  #isLowest(): boolean {
    const { driver, self } = this.#config
    return driver.view.members[0]?.id === self
  }
}
