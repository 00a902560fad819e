/** New keys for the same members: when they are due, when somebody wants one, and when one does not come about. */
import type { MemberId } from "@keymoot/transport"
import { KeymootError, type ConferenceView } from "../api.ts"
import type { GroupDriver } from "./group-driver.ts"
import { RekeyTimer } from "./rekey-timer.ts"

/** Asked for by whomever, a new key follows the last one after this: members cannot keep the others rekeying. */
const REFRESH_APART_MS = 15_000

export type KeyRenewalConfig = {
  readonly self: MemberId
  readonly driver: GroupDriver
  readonly view: () => ConferenceView
  readonly now: () => number
  /** To the lowest member, which alone may begin a view of the same members. */
  readonly sendWish: () => void
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

  /** Something was said. */
  onActivity(): void {
    this.#timer.onActivity()
  }

  tick(nowMs: number): void {
    const { driver, self } = this.#config
    const due = driver.expectsKey ? this.#timer.due(nowMs, driver.view, self) : null
    if (due === "refresh" || (due === "stalled" && this.#isLowest())) driver.refresh()
    if (due === "lowest-fails") driver.obstructed(driver.view.members[0]!.id)
  }

  /** Of this member's application. @throws KeymootError `too-soon` */
  ask(): void {
    if (!this.#mayRefresh()) {
      const message = "A new key has just been agreed, or is being agreed now. Try again in a quarter of a minute."
      throw new KeymootError("too-soon", message)
    }
    if (this.#isLowest()) this.#config.driver.refresh()
    else this.#config.sendWish()
  }

  /** Of another member's. */
  onWish(): void {
    if (this.#isLowest() && this.#mayRefresh()) this.#config.driver.refresh()
  }

  #mayRefresh(): boolean {
    const { view, now } = this.#config
    const { securedAtMs } = view()
    return securedAtMs !== null && now() - securedAtMs >= REFRESH_APART_MS
  }

  #isLowest(): boolean {
    const { driver, self } = this.#config
    return driver.view.members[0]?.id === self
  }
}
