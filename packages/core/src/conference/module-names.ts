import * as P from "micro-packed"
import { isOwnModule, type OwnModule } from "../api/index.ts"
import { boundedBytes, oneOf } from "../wire/index.ts"

/** Code of an embedder's own module. The built-in ones count from 1. */
const OWN_CODE = 255
const PREFIX = "own:"
const ownName = boundedBytes(P.U8, 60)

/** The code of a built-in module; or `OWN_CODE`, then a length and the name without its prefix. */
export function oneOfOrOwn<Name extends string>(names: readonly Name[]): P.CoderType<Name | OwnModule> {
  const builtIn = oneOf(names)
  return P.wrap({
    encodeStream: (writer, name: Name | OwnModule) => {
      if (!isOwnModule(name)) return builtIn.encodeStream(writer, name)
      P.U8.encodeStream(writer, OWN_CODE)
      ownName.encodeStream(writer, new TextEncoder().encode(name.slice(PREFIX.length)))
    },
    decodeStream: (reader): Name | OwnModule => {
      if (reader.byte(true) !== OWN_CODE) return builtIn.decodeStream(reader)
      reader.byte()
      const name = PREFIX + new TextDecoder("utf-8", { ignoreBOM: true }).decode(ownName.decodeStream(reader))
      if (!isOwnModule(name)) throw new RangeError("no name of a module")
      return name
    },
  })
}
