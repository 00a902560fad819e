import { Fragment, type ReactNode } from "react"
import { cutFormats, type Run } from "../markup/formatting.ts"
import { cutLinks, isMisleading } from "../markup/linkify.ts"
import { cutBlocks } from "../markup/blocks.ts"
import { cutNamedLinks } from "../markup/namedLinks.ts"
import { cutMentions } from "../mentions/mentions.ts"

/** People whose names are marked behind an `@`. */
type People = readonly { readonly name: string; readonly self: boolean }[]
type TextProps = { readonly text: string; readonly people?: People }

const NOBODY: People = []

/** A message as text, light markup and links; never as HTML. */
export function MessageText({ text, people = NOBODY }: TextProps) {
  const blocks = cutBlocks(text)
  if (blocks.every(({ kind }) => kind === "text"))
    return (
      <p className="message-text" dir="auto">
        <Formatted text={text} people={people} />
      </p>
    )
  return (
    <div className="message-text" dir="auto">
      {blocks.map((block, index) =>
        block.kind === "text" ? (
          <p key={index}>
            <Formatted text={block.text} people={people} />
          </p>
        ) : (
          <List key={index} start={block.start} items={block.items} people={people} />
        ),
      )}
    </div>
  )
}

type ListProps = { readonly start: number | null; readonly items: readonly string[]; readonly people: People }

function List({ start, items, people }: ListProps) {
  const content = items.map((item, index) => (
    <li key={index}>
      <Formatted text={item} people={people} />
    </li>
  ))
  return start === null ? <ul>{content}</ul> : <ol start={start}>{content}</ol>
}

function Formatted({ text, people }: Required<TextProps>) {
  return cutFormats(text).map((run, index) => <Fragment key={index}>{show(run, people)}</Fragment>)
}

function show({ format, text }: Run, people: People): ReactNode {
  switch (format) {
    case "plain":
      return <Linked text={text} people={people} />
    case "bold":
      return (
        <strong>
          <Linked text={text} people={people} />
        </strong>
      )
    case "italic":
      return (
        <em>
          <Linked text={text} people={people} />
        </em>
      )
    case "struck":
      return <s>{text}</s>
    case "code":
      return <code>{text}</code>
    case "code-block":
      // Long lines scroll, also with the keyboard.
      return (
        <code className="code-block" tabIndex={0}>
          {text}
        </code>
      )
  }
}

function Linked({ text, people }: Required<TextProps>) {
  return cutNamedLinks(text).map((named, index) =>
    named.href === null ? (
      <Fragment key={index}>
        {cutLinks(named.text).map((piece, place) =>
          piece.href === null ? (
            <Mentions key={place} text={piece.text} people={people} />
          ) : (
            <Link key={place} href={piece.href} text={piece.text} addressShown={isMisleading(piece.text, piece.href)} />
          ),
        )}
      </Fragment>
    ) : (
      <Link key={index} href={named.href} text={named.text} addressShown />
    ),
  )
}

type LinkProps = { readonly href: string; readonly text: string; readonly addressShown: boolean }

/** A link apart from the directions of the text around it. */
function Link({ href, text, addressShown }: LinkProps) {
  return (
    <>
      <bdi>
        <a href={href} target="_blank" rel="noopener noreferrer nofollow">
          {text}
        </a>
      </bdi>
      {addressShown && (
        <>
          {" "}
          <bdi className="link-address">({href})</bdi>
        </>
      )}
    </>
  )
}

function Mentions({ text, people }: Required<TextProps>) {
  if (people.length === 0 || !text.includes("@")) return text
  return cutMentions(text, people).map((piece, index) =>
    piece.person === null ? (
      piece.text
    ) : (
      <mark key={index} className="mention" data-me={piece.person.self}>
        {piece.text}
      </mark>
    ),
  )
}
