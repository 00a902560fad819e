import { Fragment } from "react"
import type { ReactNode } from "react"
import { cutFormats } from "./formatting.ts"
import type { Run } from "./formatting.ts"
import { cutLinks } from "./linkify.ts"

/** A message as text, light markup and links; never as HTML. */
export function MessageText({ text }: { readonly text: string }) {
  return (
    <p className="message-text" dir="auto">
      {cutFormats(text).map((run, index) => (
        <Fragment key={index}>{show(run)}</Fragment>
      ))}
    </p>
  )
}

function show({ format, text }: Run): ReactNode {
  switch (format) {
    case "plain":
      return <Linked text={text} />
    case "bold":
      return (
        <strong>
          <Linked text={text} />
        </strong>
      )
    case "italic":
      return (
        <em>
          <Linked text={text} />
        </em>
      )
    case "struck":
      return <s>{text}</s>
    case "code":
      return <code>{text}</code>
    case "code-block":
      return <code className="code-block">{text}</code>
  }
}

function Linked({ text }: { readonly text: string }) {
  return cutLinks(text).map((piece, index) =>
    piece.href === null ? (
      piece.text
    ) : (
      <a key={index} href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
        {piece.text}
      </a>
    ),
  )
}
