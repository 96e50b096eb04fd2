from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Optional


@dataclass
class Booking:
    id: int
    guest: str
    room: str
    arrival: datetime
    departure: Optional[datetime] = None
    notes: list[str] = field(default_factory=list)
    paid: bool = False

    def to_dict(self) -> dict:
        return {
            "id": self.id,
            "guest": self.guest,
            "room": self.room,
            "arrival": self.arrival.isoformat(),
            "paid": self.paid,
        }
