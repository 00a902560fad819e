/** Parts that few people use. Each is loaded when its screen shows it. */
import { KeymootError } from "@keymoot/core"
import { type ComponentProps, type ComponentType, lazy, useState } from "react"
import { LazyPart } from "../ui/LazyPart.tsx"

const parts = () => import("./parts.ts")
const Entry = lazy(async () => ({ default: (await parts()).DirectoryEntry }))
const Find = lazy(async () => ({ default: (await parts()).FindPeople }))
const Named = lazy(async () => ({ default: (await parts()).NamedConferences }))

/** Without its code a screen is complete but for this part, and a reload brings it. */
function loaded<T extends object>(Part: ComponentType<T>) {
  return (props: T) => {
    const [open, setOpen] = useState(true)
    return (
      <LazyPart open={open} onClose={() => setOpen(false)}>
        <Part {...props} />
      </LazyPart>
    )
  }
}

export const LazyDirectoryEntry = loaded<ComponentProps<typeof Entry>>(Entry)
export const LazyFindPeople = loaded<ComponentProps<typeof Find>>(Find)
export const LazyNamedConferences = loaded<ComponentProps<typeof Named>>(Named)

/** Returns what opens the directory. @throws KeymootError `server-unreachable` */
export async function directoryLoaded() {
  try {
    return (await parts()).withDirectory
  } catch (cause) {
    throw new KeymootError("server-unreachable", "A part of the page could not be loaded. Try again.", { cause })
  }
}
