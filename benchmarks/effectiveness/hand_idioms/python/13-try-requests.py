def fetch_tides(harbor_id, timeout=10):
    url = f"{BASE_URL}/harbors/{harbor_id}/tides"
    headers = {"Authorization": f"Bearer {API_KEY}", "Accept": "application/json"}
    try:
        response = requests.get(url, headers=headers, timeout=timeout)
        response.raise_for_status()
        return response.json()
    except requests.exceptions.Timeout:
        logger.error("Request timed out: %s", url)
    except requests.exceptions.HTTPError as e:
        logger.error("HTTP error: %s", e)
    except requests.exceptions.RequestException as e:
        logger.error("Request failed: %s", e)
    return None
