"""Chinese, Japanese and Korean words of time, numbers, and the cues of past and future."""

from __future__ import annotations

import re
from functools import cache

from perdure.when.calendar import Part
from perdure.when.tense import Cues

# count of units from today → words; a Korean word may have a space where "이번 달" has one
DAYS = {
    -3: "大前天 一昨々日 さきおととい 그끄저께", -2: "前天 前晚 一昨日 おととい 그저께 그제",
    -1: "昨天 昨日 昨晚 昨夜 昨晩 きのう ゆうべ 어제 어젯밤 간밤", 0: "今天 今日 今晚 今早 今晨 今夜 今晩 今朝 きょう けさ 오늘",
    1: "明天 明日 明早 明晚 明晩 あした 내일", 2: "后天 後天(?!的|性) 明後日 あさって 모레 내일모레", 3: "大后天 大後天 しあさって 글피",
}  # fmt: skip
WEEKS = {
    -2: "上上个?(?:周|星期|礼拜) 上上週 先々週 先先週 지지난\\s?주", -1: "上个?(?:周|星期|礼拜) 上個?(?:週|星期|禮拜) 先週 지난\\s?주 저번\\s?주",
    0: "[这本]个?(?:周|星期|礼拜) [這本]個?(?:週|星期|禮拜) 今週 이번\\s?주", 1: "下个?(?:周|星期|礼拜) 下個?(?:週|星期|禮拜) 来週 다음\\s?주",
    2: "下下个?(?:周|星期|礼拜) 下下個?(?:週|星期|禮拜) 再来週 다다음\\s?주",
}  # fmt: skip
MONTHS = {
    -2: "上上个?月 先々月 先先月 지지난\\s?달", -1: "上[个個]?月 先月 지난\\s?달 저번\\s?달", 0: "[这這本][个個]?月 今月 이번\\s?달",
    1: "下[个個]?月 来月 다음\\s?달", 2: "下下个?月 再来月 다다음\\s?달",
}  # fmt: skip
YEARS = {
    -2: "前年 一昨年 おととし 재작년", -1: "去年 昨年 작년 지난\\s?해", 0: "今年 本年 올해 금년",
    1: "明年 (?<!起)来年(?![轻龄纪]) 來年 내년", 2: "后年 後年 再来年 내후년",
}  # fmt: skip
UNITS = {
    "day": "天 日 일", "week": "周 週間 週 个?星期 個?星期 个?礼拜 주일?", "month": "个月 個月 か月 ヶ月 カ月 ヵ月 ケ月 箇月 개월 달",
    "year": "年 년 해",
}  # fmt: skip
SEASONS = {
    "spring": "春天 春季 春 봄", "summer": "夏天 夏季 夏 여름", "autumn": "秋天 秋季 秋 가을", "winter": "冬天 冬季 冬 겨울",
}  # fmt: skip
PORTIONS: dict[Part, str] = {
    "beginning": "初め 初头 初頭 はじめ 初 上旬 초순 초", "middle": "中旬 半ば 中頃 중순", "end": "末頃 末 底 下旬 하순 말",
}  # fmt: skip
WEEKDAYS = {0: "一 月 월", 1: "二 火 화", 2: "三 水 수", 3: "四 木 목", 4: "五 金 금", 5: "六 土 토", 6: "日 天 일"}
SO_MANY_DAYS = {
    1: "하루", 2: "이틀", 3: "사흘", 4: "나흘", 5: "닷새", 6: "엿새", 7: "이레", 8: "여드레", 9: "아흐레", 10: "열흘", 15: "보름",
}  # fmt: skip
FEASTS = {
    "christmas": "圣诞节? 聖誕節? クリスマス 크리스마스 성탄절", "christmas eve": "平安夜 クリスマスイブ クリスマス・イブ 크리스마스\\s?이브",
    "new year": "元旦 元日 설날", "new year eve": "跨年夜? 大晦日", "china": "国庆节? 國慶節?", "valentine": "情人节 バレンタインデー? 밸런타인데이",
    "halloween": "万圣节 ハロウィン 할로윈", "thanksgiving": "感恩节",
}  # fmt: skip
_KOREAN = dict(zip("한 두 세 네 다섯 여섯 일곱 여덟 아홉 열".split(), range(1, 11), strict=True))
_HAN = {**dict(zip("〇一二三四五六七八九", range(10), strict=True)), "零": 0, "两": 2, "兩": 2, "ひと": 1, "ふた": 2}
_HAN |= dict(zip("일이삼사오육칠팔구", range(1, 10), strict=True))
_DIGIT = "〇零一二两兩三四五六七八九十百"
NUMBER = rf"(?:(?<!\d)\d{{1,3}}|[{_DIGIT}]{{1,5}}|ひと|ふた|{'|'.join(_KOREAN)}|[일이삼사오육칠팔구십]{{1,4}})"
# Korean verbs in the past: a syllable that ends in ss and is neither "there is" nor "will"
_PAST_SYLLABLES = "".join(c for i in range(399) if (c := chr(0xAC00 + i * 28 + 20)) not in "있겠")


def either(rows: dict[int, str] | dict[str, str] | dict[Part, str]) -> str:
    """Return a pattern of all the words of some rows, the longest first: a script without spaces ends no word."""
    return "|".join(sorted((word for row in rows.values() for word in row.split()), key=len, reverse=True))


def number_of(word: str) -> int:
    """Return what a number says, in digits or in Chinese, Japanese or Korean words.

    >>> number_of("二十三"), number_of("두"), number_of("二〇一九"), number_of("십이")
    (23, 2, 2019, 12)
    """
    if word.isdecimal():
        return int(word)
    if word in _KOREAN:
        return _KOREAN[word]
    if word in _HAN:
        return _HAN[word]
    if not re.search("[十百십]", word):
        return int("".join(str(_HAN[char]) for char in word))
    total, digit = 0, 0
    for char in word:
        if char in "十百십":
            total += (digit or 1) * (100 if char == "百" else 10)
            digit = 0
        else:
            digit = _HAN[char]
    return total + digit


@cache
def _cues_of(script: str) -> Cues:
    future, past, recurring, before, after = (re.compile(one) for one in _CUES[script])
    return Cues(future, past, recurring, before, after, cost_after=0)  # the verb comes after


def cues(text: str) -> Cues:
    """Return the cues of the language whose script a text has: kana, hangul, else Chinese."""
    if re.search("[\u3041-\u30ff]", text):
        return _cues_of("japanese")
    return _cues_of("korean" if re.search("[가-힣]", text) else "chinese")


_CUES = {
    "chinese": (
        "[要会會将將]|打算|准备|計劃|计划|预定|想|得去|截止|(?<![只没所拥具])有(?![的点时些])",
        "了|[过過](?![程年节去節])|刚|剛|已经|已經|曾|当时",
        "每|生日|总是|總是|经常|平时|通常|出生|周年",
        "(?:改到|改成|改在|推迟到|推遲到|延到|延期到|延至|挪到|提前到|移到|定在|定于|推到|调到)了?$",
        "(?:之前|以前|前)(?!面)",
    ),
    "japanese": (
        "(?:ます|です|予定|つもり|だろう|でしょう|たい|[うくすつぬむるぐぶ])(?=[。、！!？?\\s]|$|よ|ね|けど|から|ので|んだ|の)",
        "(?:ました|でした|だった|[たっいんし][ただ]|た)(?=[。、！!？?\\s]|$|よ|ね|けど|から|ので|が|ん|の|ら)",
        "毎|いつも|誕生日|普段|よく|生まれ|周年",
        "$^",
        "まで|(?:に|へ)(?:変更|延期|移|ずら|なっ|なり|伸び|延び|繰り)",
    ),
    "korean": (
        "겠|[ㄹ을를할갈될볼올살]\\s?(?:거|것|게|예정|계획)|예정|계획|있어|있습|있다|예요|이에요|입니다|해요|가요|해야|가야|와요|오세요|합니다|갑니다|할래|봐요|시작해",
        f"[{_PAST_SYLLABLES}](?=[어다습지는고네죠을던거])",
        "매일|매주|매년|매달|마다|생일|항상|보통|자주|태어나|태어났|주년",
        "$^",
        "까지|\\s?(?:로|으로)\\s?(?:연기|변경|미뤄|미루|미뤘|옮|바뀌|바뀌었|당겨)",
    ),
}
