import type { Map as YMap, YMapEvent, Transaction } from "yjs"
import { type BoardElement, readElement } from "../elements/element.ts"
import { type Frames, paced } from "./pace.ts"
import { isNewer, isSameVersion, merge } from "./reconcile.ts"
import { SCENE_TOMBSTONES_MAX, trimTombstones } from "./tombstones.ts"

/** Elements of one board, without deleted ones; further ones from peers are rejected. */
export const ELEMENTS_MAX = 20_000
/**
 * A growing stroke is written whole each time, so a long one would fill the network sixty times a second. After a write
 * of n bytes the next waits n / WRITE_BYTES_PER_MS; up to 16 kB (some 700 points) that is less than a frame.
 */
const WRITE_BYTES_PER_MS = 1000
/** The member that writes an element again after a stale write has overwritten it: see `overrule`. */
const OVERRULE_AFTER_MS = 500

/** The whiteboard's interface to the binding. */
export type Scene = {
  /** All elements, deleted ones included. */
  readonly elements: () => readonly BoardElement[]
  /** Elements that the person is editing: changes by others must not interrupt that. */
  readonly editing: () => ReadonlySet<string>
  /**
   * False for a viewer. Its whiteboard still changes elements by itself, such as their place in the drawing order.
   * Peers refuse a viewer's writes, and such a write could hide others' later changes from it for good.
   */
  readonly mayWrite: () => boolean
  /** `atOnce`: the previous frame had no change by others, so somebody may just have begun to draw. */
  readonly show: (elements: readonly BoardElement[], atOnce: boolean) => void
}
export type Schedule = Frames & {
  readonly after: (ms: number, run: () => void) => () => void
  readonly nowMs: () => number
  /** 0 to 1. */
  readonly random: () => number
}
export type BoardBinding = {
  /** The scene may have changed; cheap enough for every pointer event. */
  readonly sceneChanged: () => void
  /** Synchronizes at once, without waiting for a frame: hidden tabs draw none. */
  readonly flush: () => void
  /** Writes all unwritten changes, and ends. */
  readonly close: () => void
}

type Known = { readonly version: number; readonly versionNonce: number; readonly mine: boolean }

/**
 * Synchronizes a scene with the shared map `id → element`. In the map alone the last write would win, but a write may
 * be older than what it overwrites. So elements are ordered by version, as in Excalidraw. `onUnshared` gets the number
 * of own elements that peers would reject, whenever it changes.
 */
export function bindBoard(
  map: YMap<unknown>,
  scene: Scene,
  schedule: Schedule,
  onInvalid: (count: number) => void,
  onUnshared: (count: number) => void,
): BoardBinding {
  const origin = {}
  /** The last version that both sides have. */
  const known = new Map<string, Known>()
  /** Keys changed by others and not processed yet. */
  const incoming = new Set<string>(map.keys())
  /** The last write of each key that this binding has read or made: see `isWiped`. */
  const writes = new Map<string, string | undefined>()
  /** Changes by others to elements that this person is editing, with the version at that time. */
  const deferred = new Map<string, number>()
  const overruled = new Set<string>()
  /** Own finished elements that peers would reject: none that the scene does not hold. */
  const unshared = new Set<string>()
  let reportedUnshared = 0
  let cancelOverrule: (() => void) | null = null
  let writeNotBeforeMs = 0
  /** The screen of a viewer follows the map: its own versions count nothing. */
  let isViewer = !scene.mayWrite()
  const pace = paced((atOnce) => exchange(false, atOnce), schedule)

  const onMapChange = (event: YMapEvent<unknown>, transaction: Transaction) => {
    if (transaction.origin === origin) return
    for (const key of event.keysChanged) if (key !== null) incoming.add(key)
    pace.request()
  }
  map.observe(onMapChange)
  if (incoming.size > 0) pace.request()

  function exchange(isLast: boolean, atOnce: boolean): void {
    const mayWrite = scene.mayWrite()
    // An editor from now on: it must not send what its whiteboard changed before.
    if (isViewer && mayWrite) for (const key of map.keys()) incoming.add(key)
    isViewer ||= !mayWrite
    readIncoming(atOnce)
    isViewer = !mayWrite
    if (isLast || schedule.nowMs() >= writeNotBeforeMs) writeChanges()
    else pace.request()
    if (unshared.size === reportedUnshared) return
    reportedUnshared = unshared.size
    onUnshared(unshared.size)
  }

  function readIncoming(atOnce: boolean): void {
    for (const id of deferred.keys()) incoming.add(id)
    if (incoming.size === 0) return
    const local = new Map(scene.elements().map((element) => [element.id, element]))
    const editing = scene.editing()
    const accepted: BoardElement[] = []
    const forgotten = new Set<string>()
    let live = [...local.values()].filter(({ isDeleted }) => !isDeleted).length
    let invalid = 0
    for (const id of incoming) {
      const mine = local.get(id)
      const value = map.get(id)
      if (value !== undefined) writes.set(id, lastWrite(id))
      else if (!mine) writes.delete(id)
      const remote = readElement(id, value)
      if (remote === null) {
        // An edit in progress waits for nothing any more: it is written.
        deferred.delete(id)
        if (value !== undefined) invalid++
        if (mine?.isDeleted === false && (value !== undefined || editing.has(id) || isWiped(id))) overrule(id)
        else if (value === undefined && mine) forgotten.add(id) // Trimmed: a tombstone that nobody needs.
      } else if (mine === undefined && !remote.isDeleted && live >= ELEMENTS_MAX) invalid++
      else if (mine === undefined) {
        if (!remote.isDeleted) live++
        remember(remote, false)
        accepted.push(remote)
      } else if (editing.has(id)) deferred.set(id, deferred.get(id) ?? mine.version)
      else accepted.push(...settle(mine, remote))
    }
    incoming.clear()
    if (accepted.length + forgotten.size > 0) show(merge(scene.elements(), accepted, editing), forgotten, atOnce)
    if (invalid > 0) onInvalid(invalid)
  }

  function show(elements: readonly BoardElement[], forgotten: Set<string>, atOnce: boolean): void {
    const others = elements.filter(({ id, isDeleted }) => isDeleted && known.get(id)?.mine === false)
    if (others.length > SCENE_TOMBSTONES_MAX) for (const { id } of others) forgotten.add(id)
    for (const id of forgotten) {
      known.delete(id)
      writes.delete(id)
      deferred.delete(id)
    }
    scene.show(forgotten.size > 0 ? elements.filter(({ id }) => !forgotten.has(id)) : elements, atOnce)
  }

  /** The versions to show; empty if they are shown already. */
  function settle(mine: BoardElement, remote: BoardElement): BoardElement[] {
    const versionInHand = deferred.get(mine.id)
    deferred.delete(mine.id)
    if (isSameVersion(mine, remote)) {
      remember(remote, false)
      return []
    }
    if (isViewer) {
      remember(remote, false)
      return [remote]
    }
    if (versionInHand !== undefined && mine.version !== versionInHand && isNewer(remote, mine)) {
      // This person edited it while the other's change waited: the edit that finished last wins.
      const version = remote.version + 1
      known.delete(mine.id)
      return [{ ...mine, version }]
    }
    if (isNewer(mine, remote)) {
      overrule(mine.id)
      return []
    }
    remember(remote, false)
    return [remote]
  }

  /** Names the write that the map holds or held last. */
  function lastWrite(id: string): string | undefined {
    const write = map._map.get(id)?.lastId
    return write && `${write.client}/${write.clock}`
  }

  /**
   * Whether the missing value of a live element was removed without a tombstone. Honest members trim tombstones only.
   * A member that was away misses tombstones, but not that something was written over its value.
   */
  function isWiped(id: string): boolean {
    return !writes.has(id) || writes.get(id) === lastWrite(id)
  }

  /**
   * The map holds an older version than the scene, or a live element was wiped. The author of the version on the screen
   * writes it again at once. Other members do so only if that has not happened after a random delay, so that one stale
   * write does not cause writes by everybody.
   */
  function overrule(id: string): void {
    if (known.get(id)?.mine !== false) {
      known.delete(id)
      return
    }
    overruled.add(id)
    cancelOverrule ??= schedule.after(OVERRULE_AFTER_MS * (1 + 3 * schedule.random()), () => {
      cancelOverrule = null
      const local = new Map(scene.elements().map((element) => [element.id, element]))
      for (const key of overruled) {
        const mine = local.get(key)
        const shared = readElement(key, map.get(key))
        if (mine && (shared === null ? !mine.isDeleted : isNewer(mine, shared))) known.delete(key)
      }
      overruled.clear()
      pace.request()
    })
  }

  function writeChanges(): void {
    if (isViewer || !scene.mayWrite()) return
    const changed = scene.elements().filter((element) => {
      const last = known.get(element.id)
      return (
        (last === undefined || !isSameVersion(element, last)) && !deferred.has(element.id) && !incoming.has(element.id)
      )
    })
    if (changed.length === 0) return
    const editing = scene.editing()
    let bytes = 0
    let deletedAtMs: number | null = null
    map.doc?.transact(() => {
      for (const element of changed) {
        // A copy: Excalidraw changes its elements in place. Elements that a peer would reject (a line of one point)
        // wait until they are complete.
        const copy = readElement(element.id, element) ?? (element.isDeleted ? deletionOf(element) : null)
        if (copy === null && editing.has(element.id)) continue
        remember(element, true)
        if (copy === null) {
          // Pictures are complete when their file is shared, and report a failure themselves.
          if (!element.isDeleted && element.type !== "image") unshared.add(element.id)
          continue
        }
        map.set(element.id, copy)
        writes.set(element.id, lastWrite(element.id))
        bytes += sizeOf(copy)
        if (copy.isDeleted) deletedAtMs = Math.max(copy.updated, deletedAtMs ?? 0)
      }
      // Forgotten here too.
      if (deletedAtMs !== null) for (const id of trimTombstones(map, deletedAtMs)) incoming.add(id)
    }, origin)
    if (incoming.size > 0) pace.request()
    writeNotBeforeMs = schedule.nowMs() + bytes / WRITE_BYTES_PER_MS
  }

  /** The shared element as deleted. Null if none is shared: then nobody else has it. */
  function deletionOf({ id, version, versionNonce, updated }: BoardElement): BoardElement | null {
    const shared = readElement(id, map.get(id))
    return shared && readElement(id, { ...shared, isDeleted: true, version, versionNonce, updated })
  }

  function remember({ id, version, versionNonce }: BoardElement, mine: boolean): void {
    known.set(id, { version, versionNonce, mine })
    unshared.delete(id)
  }

  return {
    sceneChanged: pace.request,
    flush: () => exchange(true, false),
    close: () => {
      writeChanges()
      map.unobserve(onMapChange)
      pace.cancel()
      cancelOverrule?.()
    },
  }
}

/** Approximate bytes on the wire: points are most of a large element. */
function sizeOf(element: BoardElement): number {
  return 600 + ("points" in element ? element.points.length * 22 : 0)
}
