/** Renewal of the key for the same members: periodic, on a member's request, or after a stalled agreement. */
import { patienceFactor, sameInstances, type MemberId, type View } from "@keymoot/transport"
import type { Clock } from "../platform/surroundings.ts"
import { KeymootError, type ConferenceView } from "../api/index.ts"
import { MessageKind } from "../multicast/message-kind.ts"
import type { GroupDriver } from "./group-driver.ts"

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

  onStatus(status: "agreeing" | "keyed" | "secured", view: View): void {
    this.#timer.onStatus(status, view)
  }

  /** A message was sent or delivered, or there is a call. */
  onActivity(): void {
    this.#timer.onActivity()
  }

  tick(nowMs: number): void {
    const { driver, self } = this.#config
    const { view, agreementProgress: progress } = driver
    const due = driver.expectsKey ? this.#timer.due(nowMs, { view, self, progress }) : null
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

/** W of docs/key-agreement.md: with activity, every member's share is renewed within this time. */
const WINDOW_MS = 60 * 60 * 1000
const INTERVAL_MS_MIN = 60 * 1000
const INTERVAL_MS_MAX = 10 * 60 * 1000
/**
 * Time without progress after which an agreement restarts. Honest ones take less than a second. Those of large
 * conferences on busy machines take longer, and gain nothing from a restart. A silent member is left out earlier
 * (secure-group/stall-budget.ts). This timeout covers stalls without a culprit.
 */
const STALLED_MS = 8000
/** In units of each timeout: the duration of an agreement after which its progress counts no more. */
const PROGRESS_MAX = 3
/** Timeout after which another member restarts the agreement, because the lowest one failed to. */
const LOWEST_FAILS_MS = 3 * STALLED_MS

/**
 * - refresh: this member is the lowest and should start a rekey.
 * - stalled: the agreement does not end, so it restarts.
 * - lowest-fails: it does not end, and the lowest member does not restart it.
 */
type RekeyCause = "refresh" | "stalled" | "lowest-fails"

/** `progress`: see `SecureGroup.progress`. */
type AgreementState = { readonly view: View; readonly self: MemberId; readonly progress: number }

/**
 * Decides when a view needs a new key: periodically while there is activity, oldest shares first, and after a stalled
 * agreement.
 */
export class RekeyTimer {
  #secured = false
  /** Start of the present agreement, or of its last attempt. */
  #sinceMs: number | null = null
  /** Members of the present view and of the one before, secured or not. */
  #members: View["members"] = []
  #former: View["members"] = []
  /**
   * Time of the last view that renewed the oldest shares, and whether there was activity since. Only a secured view of
   * the same members as the view before does that. So comings and goings reset neither, however short.
   */
  #renewedMs: number | null = null
  #active = false
  /** Last time that a rekey was due. A newcomer can turn the view that it leads to into another one. */
  #askedMs = -Infinity
  #stalled = false
  #progress = { count: 0, atMs: 0 }

  onStatus(status: "agreeing" | "keyed" | "secured", { members }: View): void {
    if (status === "keyed") return
    if (status === "agreeing") [this.#former, this.#members] = [this.#members, members]
    this.#secured = status === "secured"
    this.#sinceMs = null
    this.#stalled = false
    if (!this.#secured || !sameInstances(members, this.#former)) return
    this.#renewedMs = null
    this.#active = false
    this.#askedMs = -Infinity
  }

  onActivity(): void {
    this.#active = true
  }

  due(nowMs: number, agreement: AgreementState): RekeyCause | null {
    if (agreement.view.attachments.size === 0) return null
    this.#renewedMs ??= nowMs
    if (this.#secured) return this.#dueWhenSecured(nowMs, nowMs - this.#renewedMs, agreement)
    this.#sinceMs ??= nowMs
    const elapsedMs = nowMs - this.#sinceMs
    if (agreement.progress !== this.#progress.count) this.#progress = { count: agreement.progress, atMs: nowMs }
    return this.#dueWhenAgreeing(nowMs, elapsedMs, patienceFactor(agreement.view.members.length))
  }

  #dueWhenSecured(nowMs: number, elapsedMs: number, { view, self }: AgreementState): RekeyCause | null {
    const intervalMs = Math.max(INTERVAL_MS_MIN, Math.min(INTERVAL_MS_MAX, WINDOW_MS / view.members.length))
    if (view.members[0]?.id !== self || !this.#active || elapsedMs < intervalMs) return null
    if (nowMs - this.#askedMs < INTERVAL_MS_MIN) return null
    this.#askedMs = nowMs
    return "refresh"
  }

  #dueWhenAgreeing(nowMs: number, elapsedMs: number, factor: number): RekeyCause | null {
    const quietMs = Math.min(elapsedMs, nowMs - this.#progress.atMs)
    const isOver = (ms: number): boolean => quietMs >= factor * ms || elapsedMs >= factor * PROGRESS_MAX * ms
    if (isOver(LOWEST_FAILS_MS)) {
      this.#sinceMs = nowMs
      this.#stalled = false
      return "lowest-fails"
    }
    if (this.#stalled || !isOver(STALLED_MS)) return null
    this.#stalled = true
    return "stalled"
  }
}
