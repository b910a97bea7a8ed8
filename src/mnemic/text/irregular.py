"""English words whose forms no rule of endings brings together: went and go, children and child.

One line a word, its base first. Left out are forms that are common words of another meaning (rose, bore, wound, lay).
"""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_FORMS: Final = """
become became
begin began begun
bend bent
blow blew blown
break broke broken
bring brought
build built
buy bought
catch caught
child children
choose chose chosen
come came
dig dug
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown
foot feet
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
give gave given
go goes going went gone
goose geese
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
knife knives
know knew known
lead led
leave leaves leaving left
lend lent
light lit
lose lost losing
make making made
man men
mean meant
meet met
mouse mice
pay paid
person people
ride rode ridden riding
ring rang rung
run ran
see seen saw
seek sought
sell sold
send sent
shake shook shaken
shine shone
shoot shot
sing sang sung
sink sank sunk
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
sweep swept
swim swam swum
take took taken taking
teach taught
tear tore torn
tell told
think thought
throw threw thrown
tooth teeth
understand understood
wake woke woken
wear wore worn
weep wept
wife wives
win won
woman women
write wrote written writing
"""


@cache
def bases() -> dict[str, str]:
    """For each irregular form, folded, its base."""
    return {form: line.split()[0] for line in _FORMS.strip().splitlines() for form in line.split()[1:]}
