import type { TextsWithoutOne } from "../../plurals.ts"

export const moving: TextsWithoutOne["moving"] = {
  open: "新しい会議で続ける",
  hint: "ホワイトボードを、同じタイトルと規則の新しい会議にコピーします。この会議はそのまま残ります。チャット、ファイル、投票はここに残ります。",
  rules: "あなたがそのホストになり、ほかの人の入室を許可します。",
  tell: "ここにいる人に新しいリンクを送る",
  tellHint: "一緒に移るかどうかは、各自が決めます。送らなければ、ホワイトボードのコピーはあなただけのものです。",
  go: "そちらで続ける",
  message: "続きはこちらです：{{url}}",
  failed: "新しい会議を始められませんでした。もう一度お試しください。",
}
