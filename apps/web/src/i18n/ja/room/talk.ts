import type { TextsWithoutOne } from "../../plurals.ts"

export const talk: TextsWithoutOne["talk"] = {
  reply: "返信",
  replyingTo: "{{name}}さんに返信",
  noReply: "このメッセージへの返信をやめる",
  quoteMissing: "返信先のメッセージはこの端末にありません。",
  goToQuote: "{{name}}さんへの返信：{{text}}",
  mention: "メンションする",
  mentionedBy_other: "{{names}}さんがあなたをメンションしました。",
  mentionedByMany: "{{count}}人があなたをメンションしました。",
  newMention: "会議であなたがメンションされました",
  show: "表示",
  search: "チャットを検索",
  found: "{{at}}／{{all}}",
  nothingFound: "見つかりません",
  older: "前の結果",
  newer: "次の結果",
  closeSearch: "検索を閉じる",
}
