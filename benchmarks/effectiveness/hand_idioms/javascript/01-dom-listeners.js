document.addEventListener('DOMContentLoaded', function () {
  const form = document.getElementById('booking-form');
  const list = document.querySelector('.booking-list');
  const button = document.querySelector('#add-guest');

  button.addEventListener('click', function (e) {
    e.preventDefault();
    const item = document.createElement('li');
    item.className = 'guest';
    item.textContent = document.getElementById('guest-name').value;
    list.appendChild(item);
  });

  form.addEventListener('submit', function (e) {
    e.preventDefault();
    const data = new FormData(form);
    sendBooking(data);
  });
});
