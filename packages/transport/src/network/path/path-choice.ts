import {
  PATH_DEAD_MS,
  PATH_HOLD_MS,
  PATH_HOLD_MS_MAX,
  PATH_LASTED_MS,
  PATH_NUDGE_MS,
  PATH_PROBE_MS,
  PATH_PROBE_MS_MAX,
  PATH_SILENT_MS,
  PATH_UNHEARD_MS,
} from "../../bounds/network-bounds.ts"

/** A direct connection, or the server's relay. */
export type PathKind = "webrtc" | "server"

export type PathInput<P> =
  /** The path works in both directions. `leads`: this end returns first to the path after both have left it. */
  | { readonly type: "opened"; readonly path: P; readonly kind: PathKind; readonly leads: boolean }
  | { readonly type: "ended"; readonly path: P }
  /** An authentic frame has come over the path. */
  | { readonly type: "heard"; readonly path: P }
  /** The peer's voice is missing in a call. It says something about a direct path in use until that is heard. */
  | { readonly type: "unheard" }
  /** A message came over the path that is newer than all before. So the peer uses this path. */
  | { readonly type: "peer-uses"; readonly path: P }
  /** `waitingSinceMs`: when the last acknowledgement came, or null if everything is acknowledged. */
  | { readonly type: "tick"; readonly waitingSinceMs: number | null }

export type PathOutput<P> =
  /** Send over this path from now on, beginning with everything that is not acknowledged. */
  | { readonly type: "use"; readonly path: P }
  /** Send anything over this path, so that the peer hears it. */
  | { readonly type: "probe"; readonly path: P }
  /** Send a frame that means nothing over this path, so that its lost frames are repeated. */
  | { readonly type: "nudge"; readonly path: P }
  /** This path is of no more use. */
  | { readonly type: "close"; readonly path: P; readonly reason: string }

type Path = {
  readonly kind: PathKind
  readonly leads: boolean
  heardMs: number
  probedMs: number
  /** Until the next probe. */
  probeAfterMs: number
  nudgedMs: number
  isUnheard: boolean
}
/** Distrust of one kind of path. It outlives the path, so a path that is replaced again and again gains nothing. */
type Distrust = { readonly sinceMs: number; readonly untilMs: number; readonly holdMs: number }

const RANK: Readonly<Record<PathKind, number>> = { webrtc: 2, server: 1 }

/**
 * Chooses the path of one end of a link. A pure state machine: the best trusted path carries everything.
 *
 * The server's relay stays open behind a better path, so a fallback takes no handshake. An end leaves a path that ends,
 * that is silent while messages wait for acknowledgements, or that its peer has left for a worse one. It returns after
 * a hold. The hold doubles each time, which bounds the changes that an attacker on the network can cause.
 *
 * One direction of a direct path can be dead for good. So the end that leads probes, and the other one answers. The
 * first returns when it hears answers, since they show both directions. The other one follows it.
 *
 * Each end decides for its own direction. The session above makes every change lossless (link/reliable-session.ts).
 */
export class PathChoice<P> {
  readonly #paths = new Map<P, Path>()
  readonly #distrust = new Map<PathKind, Distrust>()
  #active: P | null = null
  #peerUses: P | null = null
  #tickMs = -Infinity
  #silent = false

  /** The path for outgoing messages. Null if there is none. */
  get active(): P | null {
    return this.#active
  }

  /** The active path is silent while messages wait, or was left before and not heard since. */
  get doubted(): boolean {
    const active = this.#activePath
    const distrust = active && this.#distrust.get(active.kind)
    return this.#silent || (distrust !== undefined && active!.heardMs <= distrust.sinceMs)
  }

  /** Whether every path is trusted as at first, so that nothing is probed or waits for the end of a hold. */
  get isCalm(): boolean {
    return this.#distrust.size === 0 && !this.#silent
  }

  step(input: PathInput<P>, nowMs: number): PathOutput<P>[] {
    switch (input.type) {
      case "opened":
        this.#paths.set(input.path, {
          kind: input.kind,
          leads: input.leads,
          heardMs: nowMs,
          probedMs: nowMs,
          probeAfterMs: PATH_PROBE_MS,
          nudgedMs: nowMs,
          isUnheard: false,
        })
        break
      case "ended":
        this.#end(input.path, nowMs)
        break
      case "heard": {
        const path = this.#paths.get(input.path)
        if (path) Object.assign(path, { heardMs: nowMs, isUnheard: false })
        return []
      }
      case "unheard": {
        const active = this.#activePath
        if (active?.kind === "webrtc") active.isUnheard = true
        return []
      }
      case "peer-uses":
        if (input.path === this.#peerUses) return []
        this.#follow(input.path, nowMs)
        break
      case "tick":
        return this.#tick(input.waitingSinceMs, nowMs)
    }
    return this.#select(nowMs)
  }

  #end(ended: P, nowMs: number): void {
    const path = this.#paths.get(ended)
    if (!path) return
    if (this.#active === ended) {
      this.#doubt(path, nowMs)
      this.#active = null
    }
    this.#paths.delete(ended)
    if (this.#peerUses === ended) this.#peerUses = null
  }

  /** The peer may see earlier than this end that a path is dead, for instance if only one direction is. */
  #follow(used: P, nowMs: number): void {
    const [path, active] = [this.#paths.get(used), this.#activePath]
    if (!path) return
    const left = this.#peerUses === this.#active && active !== undefined && RANK[path.kind] < RANK[active.kind]
    this.#peerUses = used
    if (left) this.#doubt(active, nowMs)
  }

  #tick(waitingSinceMs: number | null, nowMs: number): PathOutput<P>[] {
    // After such a gap this device has slept, and the silence says nothing about any path.
    const slept = nowMs - this.#tickMs > PATH_SILENT_MS / 2
    this.#tickMs = nowMs
    const active = this.#activePath
    if (slept && active) active.heardMs = nowMs
    const silentMs = active && waitingSinceMs !== null ? nowMs - Math.max(waitingSinceMs, active.heardMs) : 0
    this.#silent = silentMs > (active?.isUnheard ? PATH_UNHEARD_MS : PATH_SILENT_MS)
    if (active && this.#silent && this.#paths.size > 1) this.#doubt(active, nowMs)
    this.#forgive(nowMs)
    // Without distrust only another path, or the end of one, changes the choice. So an idle link costs next to nothing.
    if (this.isCalm) return []
    return [...this.#select(nowMs), ...this.#probes(nowMs), ...this.#nudges(nowMs), ...this.#dead(nowMs)]
  }

  /** If the other kind is distrusted too, the member or its network was silent, and that lengthens no hold. */
  #doubt({ kind }: Path, nowMs: number): void {
    const former = this.#distrust.get(kind)
    const longerMs = former && this.#distrust.size === 1 ? Math.min(PATH_HOLD_MS_MAX, 2 * former.holdMs) : undefined
    const holdMs = longerMs ?? former?.holdMs ?? PATH_HOLD_MS
    this.#distrust.set(kind, { sinceMs: nowMs, untilMs: nowMs + holdMs, holdMs })
  }

  #select(nowMs: number): PathOutput<P>[] {
    const [best] = [...this.#paths].sort(
      ([p, a], [q, b]) => this.#trust(q, b, nowMs) - this.#trust(p, a, nowMs) || RANK[b.kind] - RANK[a.kind],
    )
    if (!best || best[0] === this.#active) return []
    const [chosen] = best
    this.#active = chosen
    this.#silent = false
    return [{ type: "use", path: chosen }]
  }

  /**
   * 2: trusted, or in use and heard since it was doubted. 1: heard since, but on hold, or the peer may not hear this
   * end. 0: doubted.
   */
  #trust(path: P, { kind, heardMs, leads }: Path, nowMs: number): 0 | 1 | 2 {
    const distrust = this.#distrust.get(kind)
    if (!distrust) return 2
    const isHeard = path === this.#active || nowMs - heardMs <= 2 * PATH_PROBE_MS
    if (!isHeard || heardMs <= distrust.sinceMs) return 0
    const isAnswered = kind !== "webrtc" || leads || path === this.#active || path === this.#peerUses
    return isAnswered && (path === this.#active || nowMs >= distrust.untilMs) ? 2 : 1
  }

  #probes(nowMs: number): PathOutput<P>[] {
    const due = this.#left().filter(([, { kind, leads, heardMs, probedMs, probeAfterMs }]) => {
      const isHeard = heardMs > probedMs
      const mayProbe = kind !== "webrtc" || leads || isHeard
      return mayProbe && nowMs - probedMs >= (isHeard ? PATH_PROBE_MS : probeAfterMs)
    })
    for (const [, path] of due) {
      path.probeAfterMs =
        path.heardMs > path.probedMs ? PATH_PROBE_MS : Math.min(PATH_PROBE_MS_MAX, 2 * path.probeAfterMs)
      path.probedMs = nowMs
    }
    return due.map(([path]) => ({ type: "probe", path }))
  }

  /** From both ends, since each repeats its own frames only. */
  #nudges(nowMs: number): PathOutput<P>[] {
    const due = [...this.#paths].filter(([path, { kind, heardMs, nudgedMs }]) => {
      const isInDoubt = path === this.#active ? this.#silent : this.#distrust.has(kind)
      const isSilent = isInDoubt && nowMs - heardMs > PATH_SILENT_MS
      return kind === "webrtc" && isSilent && nowMs - nudgedMs >= PATH_NUDGE_MS
    })
    for (const [, path] of due) path.nudgedMs = nowMs
    return due.map(([path]) => ({ type: "nudge", path }))
  }

  /** Firefox can stay without a path after an ICE restart, and no event ends such a connection. */
  #dead(nowMs: number): PathOutput<P>[] {
    const { sinceMs = nowMs } = this.#distrust.get("webrtc") ?? {}
    const dead = this.#left().filter(
      ([, { kind, heardMs }]) => kind === "webrtc" && nowMs - Math.max(sinceMs, heardMs) > PATH_DEAD_MS,
    )
    return dead.map(([path]) => ({ type: "close", path, reason: "it is silent" }))
  }

  /** Unused paths of a kind that is distrusted. */
  #left(): (readonly [P, Path])[] {
    return [...this.#paths].filter(([path, { kind }]) => path !== this.#active && this.#distrust.has(kind))
  }

  /** Forgets a distrust, and with it the length of the hold, once the kind of path has worked for long. */
  #forgive(nowMs: number): void {
    for (const [kind, { sinceMs, untilMs }] of this.#distrust) {
      const isSilent = [...this.#paths.values()].some((path) => path.kind === kind && path.heardMs <= sinceMs)
      if (!isSilent && nowMs - untilMs >= PATH_LASTED_MS) this.#distrust.delete(kind)
    }
  }

  get #activePath(): Path | undefined {
    return this.#active === null ? undefined : this.#paths.get(this.#active)
  }
}
