import { type Readable, store } from "../../store.ts"

const refused = store<ReadonlySet<HTMLMediaElement>>(new Set())

/** Elements in the page whose sound the browser refuses to play before the person presses something. */
export const refusedSound: Readable<ReadonlySet<HTMLMediaElement>> = refused

/** Plays what the element has now. It can fail for other reasons too, as when another track replaces this one. */
export async function playSound(element: HTMLMediaElement): Promise<void> {
  try {
    await element.play()
    forgetRefusal(element)
  } catch (error) {
    const isRefused = error instanceof DOMException && error.name === "NotAllowedError"
    if (isRefused && element.srcObject !== null) refused.set(new Set([...refused.get(), element]))
  }
}

/** The element plays, or has left the page. */
export function forgetRefusal(element: HTMLMediaElement): void {
  const others = [...refused.get()].filter((each) => each !== element)
  if (others.length < refused.get().size) refused.set(new Set(others))
}

/** Plays all that was refused. Browsers allow it while they handle a press. */
export function playRefused(): void {
  for (const element of refused.get()) void playSound(element)
}
