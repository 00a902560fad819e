/**
 * A group without numbers. A scalar is a product of powers of named secrets, and an element is the generator times
 * one. Both are encoded as the hash of that. It suffices for a protocol that only multiplies and divides by shares, like
 * GDH. An attacker's knowledge can then be decided exactly, because products of different names are independent of each
 * other.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Element, MemberId, PrimeOrderGroup, Scalar } from "@keymoot/gke"

/** Name of a secret -> its power, never zero. */
type Product = ReadonlyMap<string, number>

export class SymbolicGroup {
  readonly #products = new Map<string, Product>()
  readonly #secretsOf = new Map<MemberId, string[]>()

  /** The group as one member computes in it: what it draws at random is its own. */
  groupOf(member: MemberId): PrimeOrderGroup {
    const own: string[] = this.#secretsOf.get(member) ?? []
    this.#secretsOf.set(member, own)
    const missing = (): never => {
      throw new Error("no product of secrets")
    }
    return {
      name: "symbolic",
      elementBytes: 32,
      scalarBytes: 32,
      randomScalar: () => {
        const name = `${member}.${own.length}`
        own.push(name)
        return this.#write("scalar", new Map([[name, 1]])) as Scalar
      },
      multiplyBase: (s) => this.#write("element", this.#read("scalar", s)) as Element,
      multiply: (e, s) => this.#write("element", times(this.#read("element", e), this.#read("scalar", s))) as Element,
      invert: (s) => this.#write("scalar", inverse(this.#read("scalar", s))) as Scalar,
      multiplyScalars: (a, b) =>
        this.#write("scalar", times(this.#read("scalar", a), this.#read("scalar", b))) as Scalar,
      decode: (bytes) =>
        this.#products.has(`element ${bytesToHex(bytes)}`)
          ? (bytes.slice() as Element)
          : { rejected: "non-canonical" as const },
      multiplyEncoded: missing,
      add: missing,
      addEncoded: missing,
      subtract: missing,
      addScalars: missing,
      subtractScalars: missing,
      hashToScalar: missing,
    }
  }

  secretsOf(member: MemberId): readonly string[] {
    return this.#secretsOf.get(member) ?? []
  }

  /** Every element that anybody ever computed, to find again the one behind a hash. */
  elements(): Element[] {
    return [...this.#products.keys()].flatMap((key) => {
      const [kind, hex] = key.split(" ")
      return kind === "element"
        ? [Uint8Array.from(hex!.match(/../g)!, (byte) => Number.parseInt(byte, 16)) as Element]
        : []
    })
  }

  /** Whether who knows these secrets can compute `wanted` out of the generator and of elements that he has seen. */
  isDerivable(wanted: Element, known: ReadonlySet<string>, seen: readonly Element[]): boolean {
    const unknownPart = (product: Product): string =>
      written(new Map([...product].filter(([name]) => !known.has(name))))
    const target = unknownPart(this.#read("element", wanted))
    return target === "" || seen.some((element) => unknownPart(this.#read("element", element)) === target)
  }

  #write(kind: "scalar" | "element", product: Product): Uint8Array {
    const bytes = sha256(utf8ToBytes(`${kind} ${written(product)}`))
    this.#products.set(`${kind} ${bytesToHex(bytes)}`, product)
    return bytes
  }

  #read(kind: "scalar" | "element", bytes: Uint8Array): Product {
    const product = this.#products.get(`${kind} ${bytesToHex(bytes)}`)
    if (!product) throw new Error(`not a ${kind}, or an erased one`)
    return product
  }
}

function times(a: Product, b: Product): Product {
  const product = new Map(a)
  for (const [name, power] of b) product.set(name, (product.get(name) ?? 0) + power)
  return new Map([...product].filter(([, power]) => power !== 0))
}

function inverse(product: Product): Product {
  return new Map([...product].map(([name, power]) => [name, -power]))
}

function written(product: Product): string {
  return [...product]
    .map(([name, power]) => `${name}^${power}`)
    .sort()
    .join(" ")
}
