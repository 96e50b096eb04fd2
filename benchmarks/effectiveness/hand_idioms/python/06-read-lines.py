def read_stations(path):
    stations = []
    with open(path, "r", encoding="utf-8") as f:
        for line in f:
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            parts = line.split(",")
            stations.append({"code": parts[0], "city": parts[1], "platforms": int(parts[2])})
    return stations


def save_stations(path, stations):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(stations, f, indent=4)
