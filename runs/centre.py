"""Write the centre of the multilingual embedder's vectors: the mean over plain sentences in thirteen languages.

    python runs/centre.py

All vectors of E5 lie in a narrow cone: two unrelated texts have a cosine of about 0.8.  Without the part that all
share, cosines spread as those of other embedders do.  The mean is kept in the package, so that a vector depends on its
text alone.  What it is worth: runs/LOG.md.
"""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np

from perdure.providers import multilingual

SENTENCES = """
Ana moved to Porto in March.
My brother works as a nurse at the city hospital.
What did you cook for dinner yesterday?
The train was late, so we missed the concert.
我妹妹在大学学习物理。
他每天早上喝一杯绿茶。
周末我们去爬山了。
你最喜欢哪部电影？
母は庭で野菜を育てています。
来月、京都へ旅行する予定です。
彼は猫アレルギーがあります。
昨日の会議はどうでしたか。
저는 서울에서 회계사로 일해요.
동생이 새 자전거를 샀어요.
우리는 매주 금요일에 영화를 봐요.
내일 몇 시에 만날까요?
Ma fille apprend le piano depuis deux ans.
Nous avons vendu la vieille voiture.
Il n'aime pas le fromage.
Où passez-vous vos vacances ?
Mio zio abita vicino al mare.
Sto imparando a nuotare.
Abbiamo un cane e due gatti.
A che ora apre la biblioteca?
Saya suka minum kopi di pagi hari.
Kakak saya bekerja di bank.
Mereka pindah ke Bandung tahun lalu.
Kapan kamu pulang dari kantor?
Mi abuela vive en Sevilla.
Ayer compré un teléfono nuevo.
No como carne desde hace un año.
¿Cómo se llama tu profesor?
Мой сын играет в шахматы.
Мы переехали в новый дом осенью.
Она не пьёт кофе.
Где ты был вчера вечером?
أختي طبيبة في مستشفى المدينة.
سافرنا إلى تونس في الصيف.
لا أحب الطعام الحار.
متى يبدأ الدرس؟
Meine Schwester wohnt in Hamburg.
Er trainiert für einen Marathon.
Wir haben gestern die Küche gestrichen.
Welches Buch liest du gerade?
A minha filha estuda medicina.
Ele deixou de fumar no ano passado.
Gostamos de caminhar na praia.
Quanto custou o bilhete?
मेरा भाई दिल्ली में रहता है।
वह शाकाहारी है।
हमने कल एक नई मेज़ खरीदी।
तुम्हारा जन्मदिन कब है?
"""


def main() -> None:
    vectors = multilingual.raw([line for line in SENTENCES.splitlines() if line], is_query=False)
    mean = vectors.mean(axis=0).astype("<f2")
    path = Path(multilingual.__file__).with_name(multilingual.CENTRE.name)
    path.write_text(base64.b64encode(mean.tobytes()).decode() + "\n")
    print(f"{len(vectors)} sentences; length of the mean {np.linalg.norm(mean.astype(np.float32)):.3f}")


if __name__ == "__main__":
    main()
