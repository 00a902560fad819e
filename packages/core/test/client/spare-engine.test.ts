import { expect, test } from "vitest"
import { SpareEngine } from "../../src/client/spare-engine.ts"

class FakeEngine {
  isClosed = false
  close(): void {
    this.isClosed = true
  }
}

function scene(): { readonly opened: FakeEngine[]; readonly spare: SpareEngine<FakeEngine> } {
  const opened: FakeEngine[] = []
  const open = (): FakeEngine => {
    const engine = new FakeEngine()
    opened.push(engine)
    return engine
  }
  return { opened, spare: new SpareEngine(open) }
}

/** A question that is answered when the test says so. */
function asked(spare: SpareEngine<FakeEngine>): {
  readonly engine: FakeEngine
  readonly answer: () => void
  readonly answered: Promise<string>
} {
  let answer = (): void => {}
  let engine: FakeEngine | undefined
  const answered = spare.ask((asking) => {
    engine = asking
    return new Promise<string>((resolve) => (answer = () => resolve("Ada")))
  })
  return { engine: engine!, answer, answered }
}

test("one engine answers all questions, and an identity gets it then", async () => {
  const { opened, spare } = scene()
  const [one, other] = [asked(spare), asked(spare)]
  for (const { answer, answered } of [one, other]) {
    answer()
    expect(await answered).toBe("Ada")
  }
  expect(spare.take()).toBe(one.engine)
  expect(opened).toEqual([one.engine])
  expect(one.engine.isClosed).toBe(false)
})

test("an identity gets the engine that is being asked, and none of another one", async () => {
  const { opened, spare } = scene()
  const { engine, answer, answered } = asked(spare)
  expect(spare.take()).toBe(engine)
  answer()
  expect(await answered).toBe("Ada")
  expect(engine.isClosed).toBe(false)
  expect(spare.take()).toBe(opened[1])
  expect(asked(spare).engine).toBe(opened[2])
})

test("an engine that failed is neither asked nor given away", async () => {
  const { opened, spare } = scene()
  const failing = spare.ask((engine) => {
    engine.close()
    return Promise.reject(new Error("not loaded"))
  })
  await expect(failing).rejects.toThrow("not loaded")
  expect(spare.take()).toBe(opened[1])
  expect(opened[1]?.isClosed).toBe(false)

  const { engine, answer, answered } = asked(spare)
  answer()
  await answered
  engine.close()
  expect(asked(spare).engine).toBe(opened[3])
})

test("closes what a page had before it was left when the engine has answered", async () => {
  const page = new EventTarget()
  const before = Object.getOwnPropertyDescriptor(globalThis, "addEventListener")
  Object.defineProperty(globalThis, "addEventListener", {
    configurable: true,
    value: page.addEventListener.bind(page),
  })
  const { opened, spare } = scene()
  if (before) Object.defineProperty(globalThis, "addEventListener", before)
  else Reflect.deleteProperty(globalThis, "addEventListener")

  const { engine, answer, answered } = asked(spare)
  page.dispatchEvent(new Event("pagehide"))
  expect(engine.isClosed).toBe(false)
  answer()
  await answered
  expect(engine.isClosed).toBe(true)

  await spare.ask(() => Promise.resolve())
  expect(opened[1]?.isClosed).toBe(false)
  page.dispatchEvent(new Event("pagehide"))
  expect(opened[1]?.isClosed).toBe(true)
  expect(spare.take()).toBe(opened[2])
})
