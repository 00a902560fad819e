"use client"
import { useEffect, useRef } from "react"
import { mount } from "../chat.js"

export default function Page() {
  const root = useRef(null)
  useEffect(() => mount(root.current), [])
  return <div ref={root} />
}
