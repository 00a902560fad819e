/** A process that is several members in Node: they come one by one, draw, and go, as they are told. */
import { Conference, type Identity } from "@keymoot/core"
import { openIdentityInNode } from "@keymoot/core/node"
import wrtc from "@roamhq/wrtc"

export type Told = { readonly act: "come" | "go" | "draw" | "rest"; readonly url: string }

/** A person's pen: changes a second, and points by which each lengthens the stroke. */
const [CHANGES_PER_SECOND, POINTS] = [30, 2]
const STROKE_POINTS_MAX = 120

const here: { readonly conference: Conference; readonly identity: Identity }[] = []
let timers: NodeJS.Timeout[] = []

async function obey({ act, url }: Told): Promise<void> {
  if (act === "come") {
    const identity = await openIdentityInNode({ name: `Drawer ${here.length + 1}`, wrtc })
    here.push({ identity, conference: await Conference.join({ url, identity }) })
  } else if (act === "go") {
    const { conference, identity } = here.pop()!
    await conference.leave()
    await identity.close()
  } else if (act === "draw") {
    timers = here.map(({ conference }, place) => setInterval(pen(conference, place), 1000 / CHANGES_PER_SECOND))
  } else for (const timer of timers.splice(0)) clearInterval(timer)
}

/** Lengthens a stroke at each call, and begins another below it when it is long. */
function pen(conference: Conference, place: number): () => void {
  const { doc, awareness } = conference.document("board")
  const elements = doc.getMap("elements")
  let [stroke, points] = [0, 1]
  return () => {
    if (points >= STROKE_POINTS_MAX) [stroke, points] = [stroke + 1, 1]
    points += POINTS
    const id = `drawer${place}-${stroke}`
    const left = 100 + 90 * place
    elements.set(id, strokeOf(id, left, stroke, points))
    const pointer = { x: left + points / 2, y: topOf(stroke), tool: "pointer" }
    awareness.setLocalState({ ...awareness.getLocalState(), pointer, button: "down", selectedElementIds: {} })
  }
}

const topOf = (stroke: number): number => 120 + 14 * (stroke % 40)

/** As Excalidraw has it. */
function strokeOf(id: string, left: number, stroke: number, count: number): object {
  const points = Array.from({ length: count }, (_, i) => [i / 2, 8 * Math.sin(i / 6)])
  return {
    id,
    type: "freedraw",
    x: left,
    y: topOf(stroke),
    width: count / 2,
    height: 16,
    angle: 0,
    strokeColor: "#1e1e1e",
    backgroundColor: "transparent",
    fillStyle: "solid",
    strokeWidth: 2,
    strokeStyle: "solid",
    roughness: 1,
    opacity: 100,
    seed: 1 + stroke,
    version: count,
    versionNonce: count,
    updated: Date.now(),
    isDeleted: false,
    locked: false,
    groupIds: [],
    roundness: null,
    boundElements: null,
    frameId: null,
    index: null,
    points,
    lastCommittedPoint: null,
    pressures: [],
    simulatePressure: true,
  }
}

process.on("message", (told: Told) => {
  obey(told).then(
    () => process.send!("done"),
    (error: unknown) => {
      process.send!(`failed: ${error instanceof Error ? error.message : `${error}`}`)
    },
  )
})
// Whoever started it is gone.
process.on("disconnect", () => process.exit())
