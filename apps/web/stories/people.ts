import type { Member, Person } from "@keymoot/core"

export const FEW = ["Ada", "Bob", "Eve"]
export const MANY = [...FEW, "Grace", "Linus", "Margaret"]
export const MORE = ["Noether", "Turing", "Hopper", "Knuth", "Lovelace"]
export const LONG = "Maximiliane von und zu Wolkenkuckucksheim-Oberniederhausen"
export const RTL = "عبد الرحمن بن محمد الأندلسي"

export function personNamed(name: string, index: number): Person {
  return { id: `${index}`.padStart(32, "0") as Member["id"], name, fingerprint: "" }
}
