import { SAMPLE_ELEMENT } from "@keymoot/tools/sample-element"
import type { BoardElement } from "../../src/board/elements/element.ts"

/** Elements as Excalidraw 0.18 makes them. */
export function rectangle(id: string, changes: Record<string, unknown> = {}): BoardElement {
  return {
    ...SAMPLE_ELEMENT,
    id,
    type: "rectangle",
    x: 10,
    y: 20,
    width: 300,
    height: 200,
    index: "a0",
    roundness: { type: 3 },
    seed: 1234,
    version: 3,
    versionNonce: 77,
    updated: 1_700_000_000_000,
    link: null,
    ...changes,
  } as unknown as BoardElement
}

export function stroke(id: string, changes: Record<string, unknown> = {}): BoardElement {
  const points = [
    [0, 0],
    [3, 4.5],
  ]
  return rectangle(id, {
    type: "freedraw",
    points,
    pressures: [],
    simulatePressure: true,
    lastCommittedPoint: null,
    ...changes,
  })
}

export function arrow(id: string, changes: Record<string, unknown> = {}): BoardElement {
  return rectangle(id, {
    type: "arrow",
    points: [
      [0, 0],
      [100, 0],
    ],
    lastCommittedPoint: null,
    startBinding: { elementId: "r1", focus: 0.1, gap: 4 },
    endBinding: null,
    startArrowhead: null,
    endArrowhead: "arrow",
    elbowed: false,
    ...changes,
  })
}

export function text(id: string, changes: Record<string, unknown> = {}): BoardElement {
  return rectangle(id, {
    type: "text",
    text: "Hello",
    originalText: "Hello",
    fontSize: 20,
    fontFamily: 5,
    textAlign: "left",
    verticalAlign: "top",
    containerId: null,
    autoResize: true,
    lineHeight: 1.25,
    ...changes,
  })
}

export function picture(id: string, changes: Record<string, unknown> = {}): BoardElement {
  return rectangle(id, {
    type: "image",
    fileId: "0123456789abcdef".repeat(2),
    status: "saved",
    scale: [1, 1],
    crop: null,
    ...changes,
  })
}
