export async function getGlacier(id: string): Promise<Glacier> {
  try {
    const response = await fetch(`${API_URL}/glaciers/${id}`, {
      method: 'GET',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${getToken()}`,
      },
    });
    if (!response.ok) {
      throw new Error(`HTTP error! status: ${response.status}`);
    }
    const data = await response.json();
    return data as Glacier;
  } catch (error) {
    console.error(error);
    throw error;
  }
}
