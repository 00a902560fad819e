import * as Y from "yjs"

/**
 * Bound on the types around a type. Yjs deletes and collects nested types by recursion. Some thousand exceed the stack
 * of a browser. If that happens, the document emits no further update, so a member's own changes never leave it.
 */
export const NESTING_MAX = 256

type Struct = ReturnType<typeof Y.decodeUpdate>["structs"][number]

/**
 * Returns the clients whose types in the update are nested too deeply.
 * @param update well-formed; what it depends on is in the document or in itself
 */
export function clientsTooDeep(doc: Y.Doc, update: Uint8Array): ReadonlySet<number> {
  const { structs } = Y.decodeUpdate(update)
  const depths = new Depths(doc, structs)
  const deep = structs.filter((struct) => isType(struct) && depths.of(struct) > NESTING_MAX)
  return new Set(deep.map(({ id }) => id.client))
}

export function isType(struct: Struct): struct is Y.Item {
  return struct instanceof Y.Item && struct.content instanceof Y.ContentType
}

/** Numbers of types around the structs of one update. */
class Depths {
  readonly #doc: Y.Doc
  readonly #byClient: ReadonlyMap<number, Struct[]>
  readonly #known = new Map<Struct, number>()

  constructor(doc: Y.Doc, structs: readonly Struct[]) {
    this.#doc = doc
    const byClient = new Map<number, Struct[]>()
    for (const struct of structs) {
      const own = byClient.get(struct.id.client)
      if (own) own.push(struct)
      else byClient.set(struct.id.client, [struct])
    }
    this.#byClient = byClient
  }

  /** Infinity for structs that depend on each other in a circle. */
  of(struct: Struct): number {
    const path: { readonly struct: Struct; readonly step: number }[] = []
    let depth = 0
    for (let at: Struct | undefined = struct; at;) {
      const known = this.#known.get(at)
      if (known !== undefined) {
        depth = known
        break
      }
      this.#known.set(at, Infinity)
      const above = aboveOf(at)
      path.push({ struct: at, step: above?.step ?? 0 })
      at = above && this.#find(above.id)
      if (above && !at) depth = this.#depthIn(above.id)
    }
    for (const { struct: each, step } of path.toReversed()) this.#known.set(each, (depth += step))
    return depth
  }

  #find({ client, clock }: Y.ID): Struct | undefined {
    const structs = this.#byClient.get(client) ?? []
    let [low, high] = [0, structs.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const { id, length } = structs[middle]!
      if (clock < id.clock) high = middle - 1
      else if (clock >= id.clock + length) low = middle + 1
      else return structs[middle]
    }
    return undefined
  }

  /** Number of types around a struct of the document. Collected ones have no types around them any more. */
  #depthIn(id: Y.ID): number {
    if (Y.getState(this.#doc.store, id.client) <= id.clock) return Infinity
    let depth = 0
    let at: Y.Item | Y.GC | null = Y.getItem(this.#doc.store, id)
    while (at instanceof Y.Item && at.parent instanceof Y.AbstractType && at.parent._item && depth <= NESTING_MAX) {
      depth++
      at = at.parent._item
    }
    return depth
  }
}

/** The type around a struct, or a neighbour in the same type, as Yjs encodes either. Undefined in a type of the root. */
function aboveOf(struct: Struct): { readonly id: Y.ID; readonly step: 0 | 1 } | undefined {
  if (!(struct instanceof Y.Item)) return undefined
  if (struct.parent instanceof Y.ID) return { id: struct.parent, step: 1 }
  const neighbour = struct.parent === null ? (struct.origin ?? struct.rightOrigin) : null
  return neighbour ? { id: neighbour, step: 0 } : undefined
}
