fetch('/api/orchards')
  .then(response => {
    if (!response.ok) {
      throw new Error('Network response was not ok');
    }
    return response.json();
  })
  .then(data => {
    const container = document.getElementById('orchards');
    container.innerHTML = '';
    data.forEach(orchard => {
      const div = document.createElement('div');
      div.textContent = orchard.name;
      container.appendChild(div);
    });
  })
  .catch(error => {
    console.error('Error:', error);
  });
