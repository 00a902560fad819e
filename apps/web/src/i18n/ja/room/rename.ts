import type { TextsWithoutOne } from "../../plurals.ts"

export const rename: TextsWithoutOne["rename"] = {
  open: "自分の名前を変更",
  hint: "いったん退出し、新しい名前で戻ります。通話は終わります。ほかの人には両方の名前が見え、以前のメッセージは前の名前のままです。",
  knock: "戻るには、もう一度ホストの許可が必要です。",
  serverDown: "サーバーに接続できないため、いったん退出すると戻れません。復旧してからもう一度お試しください。",
  change: "名前を変更",
  renamed: "{{before}}さんの名前は{{name}}になりました。",
}
