"""Small talk of other languages than English: greetings, thanks, agreement, the weather, requests for an answer.

Closed lists, a line to a language; whatever they do not name is kept word for word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from perdure.text import words

# What tells nothing where it makes up a clause.
_ALONE: Final = """
    hola|buenas|buenos dias|buenas tardes|buenas noches|buen dia|gracias|muchas gracias|adios|chao|hasta luego|hasta manana|hasta pronto|nos vemos|cuidate|de nada|vale|ok|okay|perfecto|genial|estupendo|claro|claro que si|por supuesto|de acuerdo|entiendo|entendido|ya veo|si|no|que bien|que bueno|buena idea|todo bien|igualmente|lo siento|perdon|disculpa|no pasa nada|por cierto|bueno|pues|oye|mira|como te dije|como dije|ya sabes|recuerda que|te cuento que|jaj\\w*|jeje\\w*
    привет|здравствуй|здравствуйте|добрый день|добрый вечер|доброе утро|доброй ночи|спокойной ночи|спасибо|большое спасибо|спасибо большое|пожалуйста|пока|до свидания|до завтра|до встречи|увидимся|хорошо|ладно|окей|ок|понятно|понял|поняла|ясно|отлично|супер|здорово|класс|круто|прекрасно|замечательно|конечно|да|нет|ага|угу|точно|согласен|согласна|удачи|не за что|извини|извините|прости|простите|ничего страшного|интересно|вот это да|ого|ух ты|ну|кстати|как я говорил|как я говорила|как я уже говорил|как я уже говорила|напоминаю|слушай|ха[ха]+
    مرحبا|مرحبا بك|اهلا|اهلا وسهلا|السلام عليكم|وعليكم السلام|صباح الخير|صباح النور|مساء الخير|مساء النور|شكرا|شكرا جزيلا|شكرا لك|الف شكر|عفوا|مع السلامة|الى اللقاء|وداعا|تصبح على خير|تشرفت بمعرفتك|فرصة سعيدة|حسنا|تمام|ممتاز|رائع|جميل|جيد|جيد جدا|طيب|نعم|لا|اجل|بالتاكيد|طبعا|فهمت|مفهوم|بالتوفيق|ان شاء الله|الحمد لله|ما شاء الله|اسف|معذرة|لا مشكلة|لا باس|بالمناسبة|كما قلت|كما قلت لك|هه+
    bonjour|bonsoir|salut|coucou|bonne nuit|merci|merci beaucoup|au revoir|a bientot|a demain|a plus|d'accord|ok|oui|non|bien sur|tres bien|super|genial|parfait|enchantee?|de rien|desolee?|pardon|pas de probleme|pas de souci|bravo|felicitations|je comprends|je vois|c'est vrai|bonne idee|au fait|d'ailleurs|comme je l'ai dit|comme je disais|mdr|ha(?:ha)+|alors|eh bien|bon
    ciao|buongiorno|buonasera|buonanotte|salve|grazie|grazie mille|prego|arrivederci|a presto|a domani|va bene|ok|certo|perfetto|ottimo|bene|capisco|capito|davvero|si|no|scusa|scusami|mi dispiace|nessun problema|complimenti|congratulazioni|auguri|piacere|buona idea|hai ragione|comunque|a proposito|come ho detto|come dicevo|allora|ah(?:ah)+
    halo|hai|hei|selamat pagi|selamat siang|selamat sore|selamat malam|selamat tinggal|terima kasih|terima kasih banyak|makasih|sama-sama|sampai jumpa|sampai nanti|sampai besok|baik|baiklah|oke|ok|ya|iya|tidak|tentu|tentu saja|bagus|keren|hebat|mantap|wah|maaf|permisi|tidak apa-apa|saya mengerti|begitu|omong-omong|ngomong-ngomong|seperti yang saya bilang|wkwk\\w*|ha(?:ha)+
    hallo|guten morgen|guten tag|guten abend|gute nacht|danke|vielen dank|bitte|tschuss|bis bald|bis morgen|bis spater|auf wiedersehen|alles klar|ok|okay|super|toll|schon|genau|naturlich|ja|nein|verstehe|ich verstehe|entschuldigung|tut mir leid|kein problem|gute idee|ubrigens|wie gesagt
    ola|oi|bom dia|boa tarde|boa noite|obrigad[oa]|muito obrigad[oa]|de nada|tchau|ate logo|ate amanha|tudo bem|claro|otimo|legal|sim|nao|desculpe?|sem problema|boa ideia|parabens|entendi|alias|como eu disse|kk+
    hoi|goedemorgen|goedemiddag|goedenavond|dank je|dank je wel|dank u|bedankt|tot ziens|tot morgen|tot straks|oke|prima|leuk|nee|trouwens|zoals ik zei
    你好|您好|嗨|哈喽|早上好|早安|晚安|下午好|晚上好|早|谢谢你?|謝謝你?|多谢|感谢|不客气|再见|拜拜|明天见|回头见|好的|好吧|好呀|好|嗯+|是的|对的?|没错|没关系|没问题|不好意思|对不起|抱歉|哈哈+|呵呵|不错|加油|恭喜你?|明白了?|知道了|我明白了|我知道了|我懂了|原来如此|辛苦了|说得对|你说得对|对了|顺便说一下|我说过
    こんにちは|おはよう(?:ございます)?|こんばんは|おやすみ(?:なさい)?|ありがとう(?:ございます|ございました)?|どうも|どういたしまして|さようなら|またね|また明日|また今度|じゃあね?|はい|いいえ|うん|ええ|そうですね|そうですか|なるほど|わかりました|分かりました|了解(?:です|しました)?|すみません|ごめん(?:なさい|ね)?|お疲れ様(?:です|でした)?|よろしく(?:お願いします)?|はじめまして|すごい(?:です)?ね?|いいですね|面白いですね|大丈夫(?:です)?|もちろん(?:です)?|おめでとう(?:ございます)?|ところで
    안녕|안녕하세요|안녕히 (?:가|계)세요|반가워요?|반갑습니다|감사합니다|감사해요|고마워요?|고맙습니다|천만에요?|잘 가|잘 자|네|예|아니요|응|그래요?|그렇군요|알겠어요|알겠습니다|알았어요?|좋아요|좋네요|대박|ㅋ+|ㅎ+|미안해요?|죄송합니다|괜찮아요?|물론이죠|축하해요?|축하합니다|화이팅|파이팅|힘내요?|수고하세요|그런데
"""
# What opens a clause that tells nothing, to its end.
_OPENING: Final = r"""
    gracias por|muchas gracias por|mil gracias|te agradezco|encantad[oa] de|mucho gusto|un placer|que tal|como est|que tengas|que te vaya|que pases|me alegr[oa]|que (?:risa|pena|guay|interesante|bonito|divertido|rico|lindo|dia)|suena|tienes (?:toda la )?razon|felic|enhorabuena|buen (?:dia|fin|viaje|provecho)|buena suerte|ayudame|dime|cuentame|explicame|recomiendame|escribeme|dame|hablame|hoy hace|hace (?:buen|mal|mucho|un dia|calor|frio)|hablamos|hasta la|te (?:cuento|escribo|hablo) (?:luego|manana|despues)|lo pensare|voy a pensarlo|estoy (?:muy )?bien|vamos a ver|me parece (?:bien|genial|perfecto)|es (?:muy )?(?:interesante|divertido|genial)
    спасибо (?:за|большое|огромное|тебе|вам)|ха-?ха|благодарю|как дела|как ты|приятно познакомиться|рада? (?:познакомиться|слышать|видеть)|всего (?:доброго|хорошего)|хорош(?:его|их) |удачного|какая (?:прелесть|красота|хорошая)|какой (?:хороший|чудесный|прекрасный|ужас)|хорошая идея|отличная идея|звучит|расскажи|подскажи|помоги|скажи|объясни|посоветуй|напиши|давай|я подумаю|посмотрим|сегодня (?:хорошая|плохая|отличная|прекрасная|чудесная|холодно|жарко|тепло)|погода|с днем|поздравляю|ты прав|вы прав|очень (?:интересно|приятно|смешно)|это (?:интересно|здорово|отлично|круто|смешно)|у меня все (?:хорошо|нормально|отлично)|до скор
    شكرا (?:على|جزيلا|كثيرا)|شكرا ل|هه+|اشكرك|كيف حال|كيف ال|سعدت|سررت|سعيد (?:بمعرفتك|بلقائك)|اتمنى لك|حظا|اراك|نراك|يا له|فكرة|كلام|انت (?:على حق|محق)|معك حق|الجو|الطقس|اخبرني|ساعدني|قل لي|مبروك|تهانينا|كل عام|سافكر|يومك|نهارك|يوم سعيد|هذا (?:رائع|جميل|ممتاز|مضحك|مثير)|انا بخير|يسعدني|تحيات
    merci (?:pour|de|d'|beaucoup|infiniment|bien)|comment |ca va|ravie? de|je t'en prie|je vous en prie|bonne (?:journee|soiree|chance|continuation)|bon (?:week-end|weekend|courage|voyage|appetit)|c'est (?:super|genial|gentil|drole|bien|parfait|note|sympa|interessant|tres)|quelle? (?:bonne|belle|chance|dommage|joie)|dis-moi|aide-moi|raconte|explique|donne-moi|il fait (?:beau|chaud|froid|tres)|on verra|on se |je vais y reflechir|tu as raison|vous avez raison|a la prochaine
    grazie (?:per|a te|di|mille|tante|infinite)|come (?:stai|va|state)|piacere di|che (?:bello|bella|peccato|figata|ridere|carino|interessante|bravo)|buona? (?:giornata|serata|fortuna|viaggio|weekend|fine)|dimmi|aiutami|raccontami|spiegami|dammi|(?:oggi )?fa (?:caldo|freddo|molto)|ci vediamo|ci sentiamo|ci penso|vediamo|sono d'accordo|mi fa piacere|e (?:molto )?(?:interessante|divertente)|buon (?:viaggio|weekend|appetito|lavoro)
    terima kasih (?:atas|sudah|untuk|banyak)|apa kabar|kabar|senang (?:bertemu|berkenalan|mendengar)|semoga|hati-hati|tolong|ceritakan|bantu|jelaskan|beri|cuaca|hari ini (?:cerah|panas|dingin|hujan)|ide (?:bagus|yang)|itu (?:bagus|keren|lucu|menarik)|sampai (?:ketemu|bertemu)|selamat (?:ulang|datang|tidur|jalan)
    danke (?:fur|dir)|wie geht|schonen |viel (?:gluck|spass|erfolg)|freut mich|das ist (?:toll|super|schon|lustig|interessant)|sag mir|hilf mir|erzahl|erklar|heute ist (?:schones|schlechtes|es)
    obrigad[oa] (?:por|pel)|como (?:vai|voce esta)|prazer|que (?:bom|legal|pena|otimo)|boa sorte|tenha um|me (?:ajuda|conta|diga)|hoje esta
    bedankt voor|hoe gaat|fijne |veel (?:succes|plezier)|wat (?:leuk|jammer)
    谢谢|感谢|太|真的?(?:好|棒|有趣|有意思|的)|祝|今天天气|天气|请(?:告诉|帮|给|问)|帮我|告诉我|很高兴(?:认识|见到)|给我(?:讲|说|推荐)|听起来|一会儿?聊|下次聊|我(?:会)?想想
    \w*ありがと|お元気|いい天気|今日は(?:いい|暑い|寒い|天気)|天気|教えて|手伝って|楽しみ|頑張|会えて|それは(?:いい|すご|面白|よかった)|よかった|また(?:ね|話)|考えて(?:み|おき)
    오늘 날씨|날씨|알려|도와|말해|추천해|만나서|좋은 (?:생각|아침|하루|밤)|잘 (?:지내|부탁)|즐거운|다음에 |또 (?:봐|만나|봬)|생각해 볼|재미있|재밌|정말 (?:고마|감사|좋|재미)|도와주셔서
"""
_CALLING: Final = frozenset(  # after which one word more is a name
    "hola buenas buenos gracias adios chao привет здравствуй здравствуите спасибо пока مرحبا اهلا شكرا bonjour bonsoir salut coucou merci ciao buongiorno buonasera grazie halo hai hei makasih hallo danke ola oi hoi bedankt".split()
)
_JOINT = re.compile(r"[,;:!.?…~—–،؛、。，！？؟～]+|\s-+\s")
_MOST_WORDS, _MOST_SIGNS = 8, 20  # of a clause that is passed over for how it opens; chosen
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")  # scripts that set no spaces
_MARKS: Final = re.compile("[\u0300-\u036f\u064b-\u0655\u0640]")


def folded(text: str) -> str:
    """Return a text in small letters without accents and vowel marks, for comparison.

    >>> folded("¿Cómo estás, Añil?"), folded("Йод"), folded("がんばって")
    ('¿como estas, anil?', 'иод', 'がんばって')
    """
    plain = _MARKS.sub("", unicodedata.normalize("NFD", text.casefold()))
    return unicodedata.normalize("NFC", plain).replace("’", "'").replace("ß", "ss")


def told(sentence: str) -> str:
    """Return what a sentence tells besides its small talk, folded and without marks; "" where it tells nothing.

    >>> told("¡Hola, muchas gracias por tu ayuda!"), told("Hola, vivo en Quito.")
    ('', 'vivo en quito')
    """
    clauses = (" ".join(clause.strip(" ¡¿\"'«»“”()*").split()) for clause in _JOINT.split(folded(sentence)))
    return " ".join(clause for clause in clauses if clause and not _is_talk(clause))


def _is_talk(clause: str) -> bool:
    found = words(clause)
    if _alone().fullmatch(clause) or (found and found[0] in _CALLING and _alone().fullmatch(" ".join(found[:-1]))):
        return True
    is_short = len(clause) <= _MOST_SIGNS if _UNSPACED.search(clause) else len(found) <= _MOST_WORDS
    return is_short and _opening().match(clause) is not None


@cache
def _alone() -> re.Pattern[str]:
    return re.compile(rf"(?:{_alternatives(_ALONE)})(?: (?:{_alternatives(_ALONE)}))*")


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"(?:{_alternatives(_OPENING)})")


def _alternatives(table: str) -> str:
    lines = [folded(line.strip()) for line in table.strip().splitlines()]
    return "|".join(sorted(lines, key=len, reverse=True))
